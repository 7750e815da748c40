"""Without bun: node 24 and later, an older node with jiti, deno. One module with everything that real ones do."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from pisces.diagnostics import PiscesError
from pisces.modules.sidecar import Runtime, SidecarLimits, runtime_in
from pisces.shapes.events.agent import Input
from pisces.shapes.events.tools import ToolCall
from tests.modules.js_session import MODULES, JsSession, played, written

FILES = {
    "ext/index.ts": """import { Type } from "@sinclair/typebox";
import { type ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { Text, Gone2099 } from "@oh-my-pi/pi-tui";
import { Shape, word } from "./words.js";
import data from "./data.json";
import { aliased } from "@/more";
import { installed } from "some-package";
enum Mode { A = 4 }
class Counter { constructor(private n: number) {} next(): number { return ++this.n } }
const counter = new Counter(data.k);
export default function (pi: ExtensionAPI) {
  console.log("printed by a module");
  pi.on("tool_call", async (event, ctx: ExtensionContext) => {
    const yes = await ctx.ui.confirm("Sure?", event.toolName);
    return yes ? undefined : { block: true, reason: "no" };
  });
  pi.on("input", () => { process.exit(9) });
  const parameters = Type.Object({ by: Type.Number() });
  pi.registerTool({ name: "count", label: "Count", description: "counts", parameters,
    async execute(id, params: { by: number }) {
      const shape: Shape = { a: params.by };
      const lines = new Text(word, 0, 0).render(20).map((line) => line.trim());
      let gone = "";
      try { Gone2099() } catch (error) { gone = error.message }
      const details = { lines, aliased, installed, mode: Mode.A, gone: gone.includes("Gone2099") };
      return { content: [{ type: "text", text: `${counter.next() + shape.a}` }], details };
    } });
}
""",
    "ext/words.ts": "export interface Shape { a: number }\nexport const word: string = 'found'",
    "ext/data.json": '{"k": 5}',
    "ext/lib/more.ts": "export const aliased = true",
    "ext/tsconfig.json": '{"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["./lib/*"]}}}',
    "ext/node_modules/some-package/package.json": '{"name": "some-package", "main": "main.js"}',
    "ext/node_modules/some-package/main.js": "exports.installed = require('./more').installed",
    "ext/node_modules/some-package/more.js": "exports.installed = true",
}


def runtime(kind: str) -> Runtime:
    """That of npm in PISCES_PEERS, of the folder of this Python, or of the PATH; else the test is skipped."""
    folders = os.pathsep.join((str(MODULES / ".bin"), os.path.dirname(sys.executable), os.environ.get("PATH", "")))
    env = {**os.environ, "NODE_PATH": str(MODULES)}
    name = "deno" if kind == "deno" else "node"
    for folder in folders.split(os.pathsep):
        program = shutil.which(name, path=folder)
        if program is None:
            continue
        try:
            found = runtime_in({**env, "PISCES_JS_RUNTIME": program})
        except PiscesError:
            continue
        if found.kind == kind:
            return found
    pytest.skip(f"needs {kind}: npm's `node@24` or `jiti` in PISCES_PEERS, or PyPI's `deno`")


@pytest.mark.parametrize("kind", ["node", "jiti", "deno"])
def test_a_module_with_everything_runs_and_the_process_comes_back(tmp_path: Path, kind: str) -> None:
    async def play(session: JsSession) -> Any:
        assert session.sidecar.errors == []
        assert (await session.emit(ToolCall("bash", "1", {}))).blocked
        result = await session.tool("count", by=10)
        assert "printed by a module" in session.sidecar.printed
        await session.emit(Input("x"))
        await session.until(lambda: session.sidecar.generation == 2, 20)
        assert any("called process.exit(9)" in message for message in session.messages)
        return result.text, result.details

    paths = written(tmp_path, FILES)[:1]
    answers, limits = [False, True], SidecarLimits(delay=0.01, patience=0.01)
    text, details = played(paths, play, answers=answers, runtime=runtime(kind), limits=limits)
    assert text == "16"
    assert details == {"lines": ["found"], "aliased": True, "installed": True, "mode": 4, "gone": True}
