"""A real browser, driven over a pipe by the DevTools protocol: no port, no network, no driver to install."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PATIENCE = 60.0
OPTIONS = (
    "--headless",
    "--remote-debugging-pipe",
    "--no-sandbox",  # tests run as root in containers, and show only pages that they made
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--no-pings",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--proxy-server=127.0.0.1:9",  # whatever it asks for, nobody answers
)


def program() -> str:
    """The first browser on the PATH, or nothing."""
    return next(filter(None, map(shutil.which, PROGRAMS)), "")


class Browser:
    """`events` has all that the browser said since the last page was opened."""

    def __init__(self, reader: int, writer: int) -> None:
        self.reader, self.writer = reader, writer
        self.number, self.pending = 0, b""
        self.events: list[dict[str, Any]] = []
        self.session = ""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Log", "Runtime", "Audits"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self.number += 1
        message: dict[str, Any] = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.writer, json.dumps(message).encode() + b"\0")
        answer = self._until(lambda said: said.get("id") == self.number)
        assert "error" not in answer, answer
        result: dict[str, Any] = answer["result"]
        return result

    def open(self, page: Path) -> None:
        self.events.clear()
        self.call("Page.navigate", url=page.as_uri())
        if not any(each.get("method") == "Page.loadEventFired" for each in self.events):
            self._until(lambda said: said.get("method") == "Page.loadEventFired")

    def ask(self, expression: str) -> Any:
        """What a piece of JavaScript says about the page. It is the test's, the page has none."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def look(self, width: int = 1280, height: int = 900, *, scheme: str = "light") -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", media="", features=features)

    def screenshot(self, file: Path, clip: dict[str, float] | None = None) -> bytes:
        given = {"clip": {"scale": 1, **clip}, "captureBeyondViewport": True} if clip else {}
        data = base64.b64decode(self.call("Page.captureScreenshot", format="png", **given)["data"])
        file.write_bytes(data)
        return data

    def pdf(self) -> bytes:
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])

    def requests(self) -> list[str]:
        named = [each for each in self.events if each.get("method") == "Network.requestWillBeSent"]
        return [each["params"]["request"]["url"] for each in named]

    def complaints(self) -> list[dict[str, Any]]:
        """What stands on the console, and what the policy stopped."""
        methods = ("Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Audits.issueAdded")
        return [each for each in self.events if each.get("method") in methods]

    def _until(self, is_it: Any) -> dict[str, Any]:
        end = monotonic() + PATIENCE
        while True:
            while b"\0" in self.pending:
                line, _, self.pending = self.pending.partition(b"\0")
                said: dict[str, Any] = json.loads(line)
                self.events.append(said)
                if is_it(said):
                    return said
            ready, _, _ = select.select([self.reader], [], [], max(0, end - monotonic()))
            chunk = os.read(self.reader, 1 << 20) if ready else b""
            assert chunk, "the browser did not answer"
            self.pending += chunk


@contextmanager
def browser(profile: Path) -> Iterator[Browser]:
    """It reads from descriptor 3 and writes to 4, which the shell sets up."""
    theirs_in, ours_out = os.pipe()
    ours_in, theirs_out = os.pipe()
    line = f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}'
    command = ["bash", "-c", line, "browser", program(), *OPTIONS, f"--user-data-dir={profile}"]
    env = {"PATH": os.environ["PATH"], "HOME": str(profile), "LANG": "C.UTF-8"}
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, pass_fds=(theirs_in, theirs_out), env=env, stdout=quiet, stderr=quiet)
    os.close(theirs_in)
    os.close(theirs_out)
    try:
        yield Browser(ours_in, ours_out)
    finally:
        process.kill()
        process.wait()
        os.close(ours_in)
        os.close(ours_out)
