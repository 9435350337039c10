"""What an index shows of the project: README.md, with its links led to where the sources are.

scikit-build-core calls `dynamic_metadata` (``[[tool.dynamic-metadata]]`` of pyproject.toml) when it
writes metadata. In the README links lead to files beside it, which an index has not. They become
addresses below the project's URL of its sources (``Source`` or ``Repository`` of
``[project.urls]``), at the tag of the release. As long as the project has none, there is nowhere to
lead to: links become their text, and pictures are left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

# What indices take for the URL of the sources, without spaces, signs and capitals.
LABELS = ("source", "repository", "sourcecode", "github")

CODE = r"^```.*?^```$|``[^`]+``|`[^`]+`"
PICTURE = r"<picture>.*?</picture>|<img\b[^>]*>"
ATTRIBUTE = r"""\b(?P<name>src|srcset|href)="(?P<file>[^"]*)\""""
LINK = r"(?P<mark>!?)\[(?P<text>(?:[^][`]|`[^`]*`)*)\]\((?P<target>[^()\s]+)\)"
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//|#", re.IGNORECASE)


def source_of(urls: Mapping[str, str]) -> str | None:
    """Return the URL of the sources among those of a project; None if there is none."""
    plain = {re.sub(r"[\W_]", "", label).lower(): url for label, url in urls.items()}
    found = [plain[label] for label in LABELS if label in plain]
    return found[0].rstrip("/") if found else None


def for_index(text: str, pages: str | None, files: str | None) -> str:
    """Lead the links of a text that is Markdown away from files beside it.

    Parameters
    ----------
    text : str
        The text.
    pages, files : str or None
        What is put before the paths of links, and before those of pictures; None where there is
        no such place.
    """
    parts = [CODE, *([] if files else [PICTURE]), ATTRIBUTE, LINK]
    found = re.compile("|".join(f"(?:{part})" for part in parts), re.MULTILINE | re.DOTALL)
    text = found.sub(partial(_led, pages=pages, files=files), text)
    return re.sub(r"\n{3,}", "\n\n", text)


def _led(match: re.Match[str], pages: str | None, files: str | None) -> str:
    """Return what stands in the place of code, a picture, an attribute or a link."""
    if match["target"]:
        if ELSEWHERE.match(match["target"]):
            return match[0]
        base = files if match["mark"] else pages
        if base is None:
            return "" if match["mark"] else match["text"]
        return f"{match['mark']}[{match['text']}]({base}{match['target']})"
    if match["file"] and not ELSEWHERE.match(match["file"]):
        base = pages if match["name"] == "href" else files
        return f'{match["name"]}="{base}{match["file"]}"' if base else ""
    return "" if match[0].startswith(("<picture", "<img")) else match[0]


def dynamic_metadata(settings: Mapping[str, Any], project: Mapping[str, Any]) -> dict[str, Any]:
    """Return the description, as scikit-build-core asks for it.

    Parameters
    ----------
    settings : mapping
        ``readme``: the file. ``pages`` and ``files``: what stands between the URL of the sources
        and the path of a page to read, and of a file as it is; ``{version}`` is the release's.
    project : mapping
        The table ``[project]``.
    """
    text = Path(settings["readme"]).read_text(encoding="utf-8")
    source, version = source_of(project.get("urls", {})), project["version"]
    if source is None:
        text = for_index(text, None, None)
    else:
        places = [settings[part].format(version=version) for part in ("pages", "files")]
        text = for_index(text, *(f"{source}/{place}/" for place in places))
    return {"readme": {"content-type": "text/markdown", "text": text}}
