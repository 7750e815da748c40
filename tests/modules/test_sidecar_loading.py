"""Modules load as their authors wrote them: TypeScript with everything that real ones use, and packages of the host."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.modules.js_session import JsSession, played, written

SHOW = "export default (pi) => pi.registerCommand('go', { handler: async () => %s })"


def shown(tmp_path: Path, expression: str, before: str = "", more: dict[str, str] | None = None) -> Any:
    """The value of an expression in a module with these lines before it, beside these files."""
    files = {"ext/index.ts": f"{before}\n{SHOW % expression}", **(more or {})}
    paths = written(tmp_path, files)

    async def play(session: JsSession) -> Any:
        assert session.sidecar.errors == []
        return await session.command("go")

    return played(paths[:1], play)


@pytest.mark.parametrize(
    ("before", "file"),
    [
        ("import { word } from './words.js'", "ext/words.ts"),
        ("import { word } from './words'", "ext/words.ts"),
        ("import { word } from './words'", "ext/words/index.ts"),
        ("import { word } from './words.ts'", "ext/words.ts"),
        ("import { word } from './words.mjs'", "ext/words.mts"),
        ("import { word } from '@/words'", "ext/lib/words.ts"),
        ("import { word } from 'words'", "ext/node_modules/words/index.js"),
    ],
)
def test_relative_imports_mean_what_typescript_means(tmp_path: Path, before: str, file: str) -> None:
    tsconfig = '{ // comments are fine\n "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["./lib/*"] } } }'
    more = {file: "export const word = 'found'", "ext/tsconfig.json": tsconfig}
    assert shown(tmp_path, "word", before, more) == "found"


def test_types_that_are_imported_like_values_are_left_out(tmp_path: Path) -> None:
    before = """import { Shape, make } from './shapes'
    import { type ExtensionAPI, Theme2 } from '@mariozechner/pi-coding-agent'
    let x: Theme2"""
    more = {"ext/shapes.ts": "export interface Shape { a: number }\nexport const make = (): Shape => ({ a: 1 })"}
    assert shown(tmp_path, "(make() as Shape).a", before, more) == 1


def test_parameter_properties_and_enums_work(tmp_path: Path) -> None:
    before = (
        "class P { constructor(private readonly n: number) {} get twice() { return this.n * 2 } }\nenum Mode { A = 4 }"
    )
    assert shown(tmp_path, "[new P(2).twice, Mode.A]", before) == [4, 4]


def test_json_is_imported(tmp_path: Path) -> None:
    assert shown(tmp_path, "data.k", "import data from './data.json'", {"ext/data.json": '{"k": 5}'}) == 5


def test_packages_in_the_old_module_format_are_imported(tmp_path: Path) -> None:
    more = {
        "ext/node_modules/old/package.json": '{"name": "old", "main": "main.js"}',
        "ext/node_modules/old/main.js": "exports.file = require('path').basename(__filename)",
    }
    assert shown(tmp_path, "file", "import { file } from 'old'", more) == "main.js"


def test_a_module_may_be_javascript(tmp_path: Path) -> None:
    async def play(session: JsSession) -> list[str]:
        return [extension.name for extension in session.sidecar.loaded]

    text = "export default () => {}"
    paths = written(tmp_path, {"a.js": text, "b.mjs": text, "c.mts": text, "d.ts": text})
    assert played(paths, play) == ["a", "b", "c", "d"]


def test_a_factory_may_be_exported_the_old_way(tmp_path: Path) -> None:
    async def play(session: JsSession) -> int:
        return len(session.sidecar.loaded[0].commands)

    text = "module.exports = (pi) => pi.registerCommand('go', { handler: async () => {} })"
    assert played(written(tmp_path, {"a.cjs": text}), play) == 1


def test_a_name_that_no_host_package_has_is_an_error_only_when_it_is_used(tmp_path: Path) -> None:
    before = """import { frobnicate2099, Type } from '@mariozechner/pi-ai'
    import { Another2099 } from '@earendil-works/pi-tui'
    const tried = () => { try { frobnicate2099() } catch (error) { return error.message } }"""
    expression = "[typeof Type.Object, tried(), typeof Another2099]"
    kind, message, other = shown(tmp_path, expression, before)
    assert kind == other == "function"
    assert "frobnicate2099" in message


def test_a_part_of_a_host_package_that_nobody_knows_is_made_of_stubs(tmp_path: Path) -> None:
    before = "import { Anything } from '@mariozechner/pi-coding-agent/dist/no/such/file.js'"
    assert shown(tmp_path, "typeof Anything", before) == "function"


def test_the_hosts_packages_win_over_a_copy_beside_the_module(tmp_path: Path) -> None:
    copy = "ext/node_modules/@mariozechner/pi-ai"
    more = {
        f"{copy}/package.json": '{"name": "@mariozechner/pi-ai", "type": "module", "main": "main.js"}',
        f"{copy}/main.js": "export const Type = 'a copy'",
    }
    assert shown(tmp_path, "typeof Type", "import { Type } from '@mariozechner/pi-ai'", more) == "object"


def test_all_three_scopes_give_the_same_classes(tmp_path: Path) -> None:
    before = "\n".join(
        f"import {{ Text as {name} }} from '@{scope}/pi-tui'"
        for name, scope in (("A", "mariozechner"), ("B", "earendil-works"), ("C", "oh-my-pi"))
    )
    assert shown(tmp_path, "A === B && B === C", before) is True


def test_two_modules_of_the_same_name_do_not_collide(tmp_path: Path) -> None:
    text = "export default (pi) => pi.registerCommand('%s', { handler: async () => '%s' })"
    paths = written(tmp_path, {"one/index.ts": text % ("one", "1"), "two/index.ts": text % ("two", "2")})

    async def play(session: JsSession) -> list[Any]:
        return [await session.command("one"), await session.command("two")]

    assert played(paths, play) == ["1", "2"]


def test_nothing_of_the_workspace_is_run_by_the_runtime_itself(tmp_path: Path) -> None:
    more = {
        "ext/bunfig.toml": 'preload = ["./evil.ts"]',
        "ext/evil.ts": "import { writeFileSync } from 'node:fs'; writeFileSync('evil', '')",
        "ext/.env": "EVIL=1",
    }
    assert shown(tmp_path, "process.env.EVIL ?? null", "", more) is None
    assert not list(tmp_path.rglob("evil"))
