"""A real browser for tests: headless Chromium, spoken to over a pipe in its DevTools protocol."""

from __future__ import annotations

import base64
import contextlib
import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)
# Key codes that pages may look at, by the name of the key.
KEYS = {
    "ArrowLeft": 37,
    "ArrowUp": 38,
    "ArrowRight": 39,
    "ArrowDown": 40,
    "Home": 36,
    "End": 35,
    "Enter": 13,
    "Tab": 9,
    " ": 32,
    "n": 78,
    "p": 80,
}


def find() -> str | None:
    """Return the browser's program, or None where there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One tab of a running browser."""

    def __init__(self, process: subprocess.Popen[bytes], read: int, write: int) -> None:
        self.process = process
        self.read, self.write = read, write
        self.left = b""
        self.number = 0
        self.session: str | None = None
        self.events: list[dict[str, Any]] = []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        attached = self.send("Target.attachToTarget", targetId=target, flatten=True)
        self.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def message(self, deadline: float) -> dict[str, Any]:
        """Return the next message of the browser."""
        while b"\0" not in self.left:
            ready, _, _ = select.select([self.read], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError("the browser does not answer")
            part = os.read(self.read, 1 << 16)
            if not part:
                raise RuntimeError("the browser has ended")
            self.left += part
        text, _, self.left = self.left.partition(b"\0")
        found: dict[str, Any] = json.loads(text)
        return found

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command and wait for its result; events are kept."""
        self.number += 1
        command: dict[str, Any] = {"id": self.number, "method": method, "params": params}
        if self.session is not None:
            command["sessionId"] = self.session
        data = json.dumps(command).encode() + b"\0"
        while data:
            data = data[os.write(self.write, data) :]
        deadline = time.monotonic() + 60
        while True:
            message = self.message(deadline)
            if message.get("id") == self.number:
                assert "error" not in message, message
                result: dict[str, Any] = message["result"]
                return result
            self.events.append(message)

    def open(self, url: str) -> None:
        """Load a page, and wait until it is there."""
        self.events.clear()
        self.send("Page.navigate", url=url)
        deadline = time.monotonic() + 60
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self.events.append(self.message(deadline))

    def run(self, script: str) -> Any:
        """Evaluate a script in the page and return its value."""
        result = self.send(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def key(self, name: str) -> None:
        """Press and release a key."""
        text = {"Enter": "\r"}.get(name, name if len(name) == 1 else "")
        for kind in ("keyDown" if text else "rawKeyDown", "keyUp"):
            self.send(
                "Input.dispatchKeyEvent",
                type=kind,
                key=name,
                code="Space" if name == " " else name,
                windowsVirtualKeyCode=KEYS[name],
                **({"text": text} if text and kind == "keyDown" else {}),
            )

    def click(self, x: float, y: float) -> None:
        """Press and release the mouse."""
        for kind in ("mousePressed", "mouseReleased"):
            self.send(
                "Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1,
                buttons=1,
            )  # fmt: skip

    def screen(self, width: int, height: int, *, dark: bool = False, zoom: float = 1) -> None:
        """Choose the size of the window, the theme, and how much the person has zoomed in."""
        # Zooming in leaves the page fewer, larger pixels.
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=round(width / zoom),
            height=round(height / zoom),
            deviceScaleFactor=zoom,
            mobile=False,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])

    def picture(self, path: Path, *, whole: bool = False) -> None:
        """Save what is to be seen, or the whole page, as PNG."""
        data = self.send(
            "Page.captureScreenshot", format="png", captureBeyondViewport=whole
        )["data"]  # fmt: skip
        path.write_bytes(base64.b64decode(data))

    def complaints(self) -> list[str]:
        """Return errors, refused content, and requests that are not for the page's own file."""
        found = []
        for event in self.events:
            method, params = event["method"], event.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append(str(params["exceptionDetails"]))
            elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
                found.append(params["entry"]["text"])
            elif method == "Network.requestWillBeSent":
                url = params["request"]["url"]
                if not url.startswith(("file:", "data:", "about:")):
                    found.append(f"asks for {url}")
        return found


def show(browser: Browser, folder: Path, document: str) -> None:
    """Open an HTML document in a window of usual size, with nothing kept from those before."""
    path = folder / "page.html"
    path.write_text(document, encoding="utf-8")
    browser.screen(1200, 1000)
    browser.open(path.as_uri())
    browser.run("localStorage.clear()")
    browser.open("about:blank")
    browser.open(path.as_uri())


@contextlib.contextmanager
def browser(program: str, folder: Path) -> Iterator[Browser]:
    """Start a browser with an empty profile, and end it with all its processes."""
    theirs_in, ours_out = os.pipe()
    ours_in, theirs_out = os.pipe()
    # Out of the way of 3 and 4, which the browser reads from and writes to.
    ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (theirs_in, theirs_out)]
    os.close(theirs_in)
    os.close(theirs_out)

    def place() -> None:
        os.dup2(ends[0], 3)
        os.dup2(ends[1], 4)

    process = subprocess.Popen(
        [program, *FLAGS, f"--user-data-dir={folder / 'profile'}", "about:blank"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=(3, 4),
        preexec_fn=place,
        start_new_session=True,
        env={**os.environ, "HOME": str(folder)},
    )
    for end in ends:
        os.close(end)
    try:
        yield Browser(process, ours_in, ours_out)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        os.close(ours_in)
        os.close(ours_out)
