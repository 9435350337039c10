"""The site: how Sphinx makes it of these pages and of docstrings; ``python3 dev.py docs`` runs it.

The pages are plain Markdown, which a forge shows as well. What only a site has is added here: the
navigation is read off the lists of index.md, and names in docstrings become links.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

import blokus_fast

HERE = Path(__file__).resolve().parent

project = "blokus-fast"
version = release = version_of("blokus-fast")
html_title = f"{project} {release}"
html_theme = "furo"
html_copy_source = False
html_show_sphinx = False
exclude_patterns = ["img"]
root_doc = "index"
language = "en"

extensions = ["myst_parser", "numpydoc", "sphinx.ext.autodoc", "sphinx_copybutton"]
# Anchors as a forge makes them of headings, which the pages' links use.
myst_heading_anchors = 4
autodoc_member_order = "bysource"
autodoc_typehints = "none"
numpydoc_show_class_members = False
# What else may be wrong with a docstring is looked for by tests/test_docstrings.py.
numpydoc_validation_checks = {"GL03", "GL05", "GL06", "GL07", "PR02", "PR05", "PR10", "SS03"}
# The parameters of these are those of compiled classes, which tell them to nobody.
numpydoc_validation_exclude = {r"\.Board$", r"\.BatchBoard$"}
add_module_names = False
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
highlight_language = "none"

# Pages that stand beside this folder, where the site has them: there is only a link in their place.
OUTSIDE = {"CONTRIBUTING.md": "site/contributing", "CHANGELOG.md": "site/changelog"}


def contents(text: str) -> str:
    """Return the navigation that the headings and links of the index stand for."""
    trees = []
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        caption, _, rest = part.partition("\n")
        pages = dict.fromkeys(re.findall(r"\]\(([\w./-]+\.md)\)", rest))
        if pages:
            listed = "\n".join(pages)
            trees.append(f"```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{listed}\n```\n")
    return "\n".join(trees)


def links_from(text: str, moved: Callable[[str], str]) -> str:
    """Return a text with other targets in its links to files."""
    return re.sub(r"(\]\()([\w./-]+)(?=[)#])", lambda link: link[1] + moved(link[2]), text)


def read_page(app: Sphinx, name: str, source: list[str]) -> None:
    """Make of a page for forges one for the site."""
    at_home = {f"../{outside}": f"{inside}.md" for outside, inside in OUTSIDE.items()}
    for outside, inside in OUTSIDE.items():
        if name == inside:
            text = (HERE.parent / outside).read_text(encoding="utf-8")
            app.env.note_dependency(str(HERE.parent / outside))
            source[0] = links_from(text, from_outside)
            return
    text = links_from(source[0], lambda target: at_home.get(target, target))
    # A blank line ends the last example before its fence, for doctest's sake.
    text = text.replace("\n\n```\n", "\n```\n")
    source[0] = f"{text}\n{contents(text)}" if name == root_doc else text


def from_outside(target: str) -> str:
    """Return where a link of a page beside this folder leads, from folder `site`."""
    if target in OUTSIDE:
        return f"{OUTSIDE[target].removeprefix('site/')}.md"
    return f"../{target.removeprefix('docs/')}" if target.startswith("docs/") else f"../../{target}"


def name_role(
    name: str, raw: str, text: str, line: int, inliner: Any, options: Any = None, content: Any = ()
) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    """Set `this` in docstrings as code, and link it if it is more than a parameter."""
    literal = nodes.literal(raw, text, classes=["xref", "py"])
    if not (text[:1].isupper() or "." in text):
        return [literal], []
    environment = inliner.document.settings.env
    reference = addnodes.pending_xref(
        raw, literal, refdomain="py", reftype="obj", reftarget=text.rstrip("()"), refwarn=False
    )
    reference["refdoc"] = environment.docname
    reference["py:module"] = environment.ref_context.get("py:module")
    reference["py:class"] = environment.ref_context.get("py:class")
    return [reference], []


def find_name(app: Sphinx, environment: Any, node: Any, content: Any) -> nodes.Node | None:
    """Look for a name at the top of the package, where most of them are."""
    target = node.get("reftarget", "")
    if node.get("refdomain") != "py" or not hasattr(blokus_fast, target.partition(".")[0]):
        return None
    domain = environment.get_domain("py")
    found = domain.find_obj(environment, None, None, f"blokus_fast.{target}", None)
    if len(found) != 1:
        return None
    ((name, entry),) = found
    place = app.builder.get_relative_uri(node["refdoc"], entry.docname)
    return nodes.reference(
        "", "", content, internal=True, refuri=f"{place}#{entry.node_id}", reftitle=name
    )


def finish_docstring(
    app: Sphinx, kind: str, name: str, thing: Any, options: Any, lines: list[str]
) -> None:
    """Link the pages that a docstring names; make small titles of a module's sections."""
    for i, line in enumerate(lines):
        lines[i] = re.sub(r"\bdocs/(\w+)\.md\b", r":doc:`docs/\1.md </\1>`", line)
        if kind == "module" and line and lines[i + 1 : i + 2] == ["-" * len(line)]:
            lines[i : i + 2] = [f".. rubric:: {line}", ""]


def skip_member(app: Sphinx, kind: str, name: str, thing: Any, skip: bool, options: Any) -> bool:
    """Leave out the fields of named tuples that say nothing."""
    return skip or (getattr(thing, "__doc__", None) or "").startswith("Alias for field number")


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the above."""
    from docutils.parsers.rst import roles

    roles.register_canonical_role("blokus-name", name_role)
    app.connect("source-read", read_page)
    app.connect("missing-reference", find_name)
    app.connect("autodoc-process-docstring", finish_docstring)
    app.connect("autodoc-skip-member", skip_member)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


default_role = "blokus-name"
