"""What packages of npm taught us: modules in CommonJS, newer ways to register, names that are no names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.modules.js_session import JsSession, bun, played, written
from tests.modules.test_sidecar_other_runtimes import runtime

FINE = "export default (pi) => pi.registerCommand('fine', { handler: async () => 'still here' })"


def test_a_module_in_commonjs_requires_the_packages_of_its_host(tmp_path: Path) -> None:
    module = """const { visibleWidth } = require("@mariozechner/pi-tui")
const { Type } = require("typebox")
module.exports = (pi) => pi.registerCommand("go", { handler: async () => [visibleWidth("abc"), Type.String().type] })"""

    async def play(session: JsSession) -> Any:
        assert session.sidecar.errors == []
        return await session.command("go")

    files = {"package.json": '{"type": "commonjs"}', "module.js": module}
    assert played(written(tmp_path, files)[1:], play) == [3, "string"]


def test_a_provider_may_be_one_object_with_an_id(tmp_path: Path) -> None:
    module = "export default (pi) => pi.registerProvider({ id: 'acme', name: 'Acme', baseUrl: 'https://acme.invalid' })"

    async def play(session: JsSession) -> Any:
        (extension,) = session.sidecar.loaded
        return {name: each.config["baseUrl"] for name, each in extension.providers.items()}

    assert played(written(tmp_path, {"module.ts": module}), play) == {"acme": "https://acme.invalid"}


@pytest.mark.parametrize(
    "wrong",
    [
        "pi.registerTool({ name: { a: 1 }, description: '', parameters: {}, execute() {} })",
        "pi.registerCommand(['x'], { handler() {} })",
        "pi.registerFlag(undefined, {})",
        "pi.registerShortcut(7, { handler() {} })",
        "pi.registerProvider({ name: 'no id' })",
        "pi.registerMessageRenderer({}, () => {})",
        "pi.on({}, () => {})",
    ],
)
def test_a_name_that_is_no_text_is_the_mistake_of_that_module_alone(tmp_path: Path, wrong: str) -> None:
    async def play(session: JsSession) -> Any:
        (error,) = session.sidecar.errors
        assert "has a name, which is a text" in error.message
        assert session.sidecar.generation == 1
        return await session.command("fine")

    files = {"wrong.ts": f"export default (pi) => {{ {wrong} }}", "fine.ts": FINE}
    assert played(written(tmp_path, files), play) == "still here"


@pytest.mark.parametrize("kind", ["bun", "node", "jiti", "deno"])
def test_a_tsconfig_that_builds_on_one_that_was_not_published_is_no_matter(tmp_path: Path, kind: str) -> None:
    files = {"fine.ts": FINE, "tsconfig.json": '{"extends": "../../tsconfig.base.json"}'}

    async def play(session: JsSession) -> Any:
        assert session.sidecar.errors == []
        return await session.command("fine")

    chosen = bun() if kind == "bun" else runtime(kind)
    assert played(written(tmp_path, files)[:1], play, runtime=chosen) == "still here"
