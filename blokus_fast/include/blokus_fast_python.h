/* blokus_fast_python.h: gets the table of the engine's functions out of the installed package.
 *
 *     static const bf_api *bf;
 *     if ((bf = bf_import()) == NULL) return NULL;   (with the GIL; ImportError is set)
 *
 * See docs/native.md.
 */
#ifndef BLOKUS_FAST_PYTHON_H
#define BLOKUS_FAST_PYTHON_H

#include <Python.h>

#include "blokus_fast.h"

#define BF_CAPSULE "blokus_fast._core._C_API"

#ifdef __cplusplus
extern "C" {
#endif

/* Return the table, or NULL with ImportError set: the package is missing, or the structs of the
 * installed one are not those that this program was compiled with. */
static inline const bf_api *bf_import(void) {
    const bf_api *api;
    PyObject *module = PyImport_ImportModule("blokus_fast._core");
    if (module == NULL) return NULL;
    Py_DECREF(module);
    api = (const bf_api *)PyCapsule_Import(BF_CAPSULE, 0);
    if (api == NULL) return NULL;
    if (api->abi_version != BF_ABI_VERSION) {
        PyErr_Format(PyExc_ImportError,
                     "the installed blokus_fast has version %u of its C interface, and this "
                     "module was compiled for version %u: compile it again",
                     (unsigned)api->abi_version, (unsigned)BF_ABI_VERSION);
        return NULL;
    }
    if (api->api_size < sizeof(bf_api)) {
        PyErr_Format(PyExc_ImportError,
                     "the installed blokus_fast is older than the one that this module was "
                     "compiled with: its table of functions has %u bytes, and %u are needed",
                     (unsigned)api->api_size, (unsigned)sizeof(bf_api));
        return NULL;
    }
    return api;
}

#ifdef __cplusplus
}
#endif

#endif
