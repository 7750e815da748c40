"""A registry of npm and an index of Python packages on loopback, as the real clients of both ask them."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import unquote

from tests.packages.servers import Answer, Asked, Server, serving

PROGRAM = """#!/usr/bin/env node
const rl = require("readline").createInterface({ input: process.stdin });
rl.on("line", (line) => {
  const { id, method } = JSON.parse(line);
  const answer = { version: "@VERSION@", argv: process.argv.slice(2), env: process.env };
  const about = { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "n", version: "1" } };
  const text = JSON.stringify(answer);
  const result = method === "initialize" ? about : { content: [{ type: "text", text }] };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
});
"""


class Registry:
    """Packages by name and version, and what was asked for. A lying one serves other bytes than it says."""

    def __init__(self) -> None:
        self.tarballs: dict[str, dict[str, bytes]] = {}
        self.wheels: dict[str, dict[str, bytes]] = {}
        self.lies: set[str] = set()
        self.server: Server | None = None

    @property
    def url(self) -> str:
        assert self.server is not None
        return self.server.url

    @property
    def asked(self) -> list[Asked]:
        assert self.server is not None
        return self.server.asked

    def add_npm(self, name: str, version: str, **manifest: object) -> None:
        made = {"name": name, "version": version, "bin": "server.js", **manifest}
        files = {"package.json": json.dumps(made), "server.js": PROGRAM.replace("@VERSION@", version)}
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
            for path, text in files.items():
                entry = tarfile.TarInfo(f"package/{path}")
                entry.size, entry.mode = len(text.encode()), 0o755
                archive.addfile(entry, io.BytesIO(text.encode()))
        self.tarballs.setdefault(name, {})[version] = buffer.getvalue()

    def add_wheel(self, name: str, version: str, source: str, needs: str = "") -> None:
        module, info = name.replace("-", "_"), f"{name.replace('-', '_')}-{version}.dist-info"
        files = {
            f"{module}.py": f"VERSION = {version!r}\ndef main():\n"
            + "".join(f"    {each}\n" for each in source.split("\n")),
            f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
            + (f"Requires-Dist: {needs}\n" if needs else ""),
            f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
            f"{info}/entry_points.txt": f"[console_scripts]\n{name} = {module}:main\n",
        }
        files[f"{info}/RECORD"] = "".join(f"{path},,\n" for path in (*files, f"{info}/RECORD"))
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            for path, text in files.items():
                archive.writestr(path, text)
        self.wheels.setdefault(name, {})[version] = buffer.getvalue()

    def answer(self, asked: Asked, _server: Server) -> Answer:
        path = unquote(asked.path).strip("/")
        if path.startswith("files/"):
            return self._file(path)
        if path.startswith("simple/"):
            return self._page(path.split("/")[1])
        return self._packument(path)

    def _file(self, path: str) -> Answer:
        _, kind, version, name = path.split("/", 3)
        store = self.tarballs if kind == "npm" else self.wheels
        name = name.removesuffix(".tgz") if kind == "npm" else name.partition("-" + version)[0].replace("_", "-")
        body = store[name][version]
        return Answer(body=body + b"\0" if name in self.lies else body)

    def _packument(self, name: str) -> Answer:
        if name not in self.tarballs:
            return Answer(404, b"{}")
        versions = {}
        for version, body in self.tarballs[name].items():
            with tarfile.open(fileobj=io.BytesIO(body)) as archive:
                file = archive.extractfile("package/package.json")
                assert file is not None
                manifest = json.load(file)
            integrity = "sha512-" + base64.b64encode(hashlib.sha512(body).digest()).decode()
            tarball = f"{self.url}/files/npm/{version}/{name}.tgz"
            versions[version] = {**manifest, "dist": {"tarball": tarball, "integrity": integrity}}
        made = {"name": name, "dist-tags": {"latest": list(versions)[-1]}, "versions": versions}
        return Answer(body=json.dumps(made).encode(), headers={"Content-Type": "application/json"})

    def _page(self, name: str) -> Answer:
        if name not in self.wheels:
            return Answer(404)
        links = []
        for version, body in self.wheels[name].items():
            file = f"{name.replace('-', '_')}-{version}-py3-none-any.whl"
            digest = hashlib.sha256(body).hexdigest()
            links.append(f'<a href="{self.url}/files/pypi/{version}/{file}#sha256={digest}">{file}</a>')
        page = f"<!DOCTYPE html><html><body>{''.join(links)}</body></html>"
        return Answer(body=page.encode(), headers={"Content-Type": "text/html"})


@contextmanager
def registry() -> Iterator[Registry]:
    made = Registry()
    with serving(made.answer) as server:
        made.server = server
        yield made
