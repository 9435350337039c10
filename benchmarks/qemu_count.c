/* qemu_count.c: a plugin of qemu-user that counts the instructions of a program.
 *
 * Without qemu's header, which not every system packs: what is used of it is declared here.
 * BF_QEMU_API is the version of qemu's interface, which it compares with its own.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct qemu_plugin_tb; /* a piece of code that runs from its beginning to its end */

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *code);
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id,
                                           void (*call)(uint64_t, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *code,
                                          void (*call)(unsigned, void *), int flags, void *data);
void qemu_plugin_register_atexit_cb(uint64_t id, void (*call)(uint64_t, void *), void *data);

static uint64_t count;

static void executed(unsigned cpu, void *instructions) {
    (void)cpu;
    count += (uintptr_t)instructions;
}

static void translated(uint64_t id, struct qemu_plugin_tb *code) {
    (void)id;
    uintptr_t n = qemu_plugin_tb_n_insns(code);
    qemu_plugin_register_vcpu_tb_exec_cb(code, executed, 0, (void *)n);
}

static void finished(uint64_t id, void *data) {
    (void)id;
    (void)data;
    fprintf(stderr, "instructions: %llu\n", (unsigned long long)count);
}

__attribute__((visibility("default"))) int qemu_plugin_version = BF_QEMU_API;
__attribute__((visibility("default"))) int qemu_plugin_install(uint64_t id, const void *info,
                                                               int argc, char **argv) {
    (void)info;
    (void)argc;
    (void)argv;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, finished, NULL);
    return 0;
}
