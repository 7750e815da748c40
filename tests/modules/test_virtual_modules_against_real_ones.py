"""The virtual packages answer as the real ones of npm do, on the same cases run with both."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.modules.virtual_modules.script import bun, peer, shown

BOTH = "const answers = async (act) => { const [ours, real] = await act(); show({ ours, real }); };"
BREAKS_ANYWHERE = re.compile("[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff66-\uff9f]")  # since pi 0.8 only
TUI_CASES = """
        const cases = await import(`${process.env.CASES}/tui_cases.mjs`);
        const [ours, real] = [await load("@mariozechner/pi-tui"), await import(process.env.TUI)];
"""
TYPEBOX_CASES = """
        const { checks, errors, schemas, values } = await import(`${process.env.CASES}/typebox_cases.mjs`);
        const { Type } = await import(process.env.ROOT);
        const { Value } = await import(process.env.ROOT.replace("index.mjs", "value/index.mjs"));
"""


def compared(folder: Path, script: str, **peers: Path) -> tuple[Any, Any]:
    given = {name.upper(): entry_of(path) for name, path in peers.items()}
    answers = shown(folder, BOTH + script, **given)
    return answers["ours"], answers["real"]


def entry_of(package: Path) -> str:
    exports = json.loads((package / "package.json").read_text("utf-8")).get("exports") or {}
    target = exports.get(".") if isinstance(exports, dict) else None
    while isinstance(target, dict):
        target = target.get("import") or target.get("default")
    return str(package / (target or "dist/index.js"))


@pytest.fixture
def tui() -> Path:
    return peer("@mariozechner/pi-tui")


def test_widths_cuts_and_wraps_are_the_same(tmp_path: Path, tui: Path) -> None:
    ours, real = compared(
        tmp_path,
        TUI_CASES + "await answers(async () => [cases.textCases(ours), cases.textCases(real)]); process.exit(0);",
        tui=tui,
    )
    assert [case["columns"] for case in ours] == [case["columns"] for case in real]
    plain = [
        at for at, case in enumerate(ours) if "\x1b]8;;http" not in case["text"]
    ]  # links are closed since 0.8 only
    assert [ours[at]["cut"] for at in plain] == [real[at]["cut"] for at in plain]
    alike = [(case, other) for case, other in zip(ours, real, strict=True) if not BREAKS_ANYWHERE.search(case["text"])]
    different = [case["text"] for case, other in alike if case["wrapped"] != other["wrapped"]]
    assert len(alike) > 100
    assert len(different) <= len(alike) * 0.03, different  # a blank at the end of a full line, and colours on it


def test_keys_are_the_same(tmp_path: Path, tui: Path) -> None:
    ours, real = compared(
        tmp_path,
        TUI_CASES + "await answers(async () => [cases.keyCases(ours), cases.keyCases(real)]); process.exit(0);",
        tui=tui,
    )
    assert [case for case, other in zip(ours, real, strict=True) if case != other] == []


def test_components_are_drawn_the_same_and_take_the_same_keys(tmp_path: Path, tui: Path) -> None:
    ours, real = compared(
        tmp_path,
        TUI_CASES
        + "await answers(async () => [cases.componentCases(ours), cases.componentCases(real)]); process.exit(0);",
        tui=tui,
    )
    assert ours == real


def test_typebox_makes_the_same_json(tmp_path: Path) -> None:
    ours, real = compared(
        tmp_path,
        TYPEBOX_CASES
        + """
        const cases = (...given) => [schemas(given[0]), checks(...given), errors(...given), values(...given)];
        const [mine, acts] = [(await load("typebox")).Type, (await load("typebox/value")).Value];
        await answers(async () => [cases(mine, acts), cases(Type, Value)]);
        """,
        root=peer("typebox"),
    )
    assert ours == real


def test_the_older_typebox_makes_the_same_json(tmp_path: Path) -> None:
    ours, real = compared(
        tmp_path,
        TYPEBOX_CASES
        + """
        const cases = (...given) => [schemas(given[0], { isOlder: true }), checks(...given), values(...given)];
        const [mine, acts] = [(await load("@sinclair/typebox")).Type, (await load("@sinclair/typebox/value")).Value];
        await answers(async () => [cases(mine, acts), cases(Type, Value)]);
        """,
        root=peer("@sinclair/typebox"),
    )
    assert ours == real


def test_tools_texts_and_transcripts_are_the_same(tmp_path: Path) -> None:
    (tmp_path / "ours").mkdir()
    (tmp_path / "real").mkdir()
    ours, real = compared(
        tmp_path,
        """
        const { agentCases, aiCases } = await import(`${process.env.CASES}/agent_cases.mjs`);
        const agent = await import(process.env.AGENT);
        agent.initTheme?.("dark");
        const cases = async (agent, ai, folder) => ({
          ...(await agentCases(agent, `${process.cwd()}/${folder}`)), ...(await aiCases(ai)),
        });
        await answers(async () => [
          await cases(await load("@mariozechner/pi-coding-agent"), await load("@mariozechner/pi-ai"), "ours"),
          await cases(agent, await import(process.env.AI), "real"),
        ]);
        process.exit(0);
        """,
        agent=peer("@mariozechner/pi-coding-agent"),
        ai=peer("@mariozechner/pi-ai"),
    )
    assert {name: (answer, real[name]) for name, answer in ours.items() if answer != real[name]} == {}


@pytest.mark.parametrize("execution", ["sequential", "parallel"])
def test_an_agent_goes_through_the_same_turns(tmp_path: Path, execution: str) -> None:
    ours, real = compared(
        tmp_path,
        """
        const { loopCases } = await import(`${process.env.CASES}/agent_cases.mjs`);
        const [mine, real] = [await load("@mariozechner/pi-agent-core"), await import(process.env.AGENT)];
        const ai = await load("@mariozechner/pi-ai");
        const cases = (agent) => loopCases(agent, ai, EXECUTION);
        await answers(async () => [await cases(mine), await cases(real)]);
        process.exit(0);
        """.replace("EXECUTION", json.dumps(execution)),
        agent=peer("@mariozechner/pi-agent-core"),
    )
    if execution == "parallel":  # what happens side by side comes in any order
        ours["said"], real["said"] = (sorted(answers["said"], key=json.dumps) for answers in (ours, real))
    assert ours == real
    assert ours["content"][-1] == [{"type": "text", "text": "more"}]


@pytest.mark.parametrize("name", ["pi-agent-core", "pi-ai", "pi-coding-agent", "pi-tui"])
def test_every_name_that_a_real_package_exports_can_be_imported(tmp_path: Path, name: str) -> None:
    ours, real = compared(
        tmp_path,
        f"""
        const real = Object.keys(await import(process.env.REAL));
        const ours = Object.keys(await load("@mariozechner/{name}"));
        await answers(async () => [ours, real]);
        process.exit(0);
        """,
        real=peer(f"@mariozechner/{name}"),
    )
    assert len(real) > 5
    assert set(real) - set(ours) == set()


def test_nearly_everything_that_the_examples_of_pi_import_is_made_here(tmp_path: Path) -> None:
    examples = peer("@mariozechner/pi-coding-agent") / "examples/extensions"
    wanted = sorted({each for file in examples.rglob("*.ts") for each in imported(file.read_text("utf-8"))})
    stubs = shown(
        tmp_path,
        """
        const { isStub } = await import(process.env.VIRTUAL_INDEX.replace("index.mjs", "stub.mjs"));
        const stubs = [];
        for (const [specifier, name] of JSON.parse(process.env.WANTED)) {
          const exported = await load(specifier);
          if (!(name in exported)) stubs.push(`missing: ${name}`);
          else if (isStub(exported[name])) stubs.push(name);
        }
        show(stubs);
        """,
        WANTED=json.dumps(wanted),
    )
    assert len(wanted) >= 45
    assert [name for name in stubs if name.startswith("missing")] == []
    assert len(stubs) <= len(wanted) * 0.2, stubs


def imported(source: str) -> list[tuple[str, str]]:
    """(specifier, name) of the values that a module imports from packages of its host."""
    found = re.findall(r'^import \{([^}]*)\} from "((?:@mariozechner|@earendil-works)/pi-[^"]+|typebox)"', source, re.M)
    names = [(specifier, part.strip()) for listed, specifier in found for part in listed.split(",")]
    return [(specifier, name.split(" as ")[0]) for specifier, name in names if name and not name.startswith("type ")]


def test_the_examples_of_pi_load(tmp_path: Path) -> None:
    if bun() is None:
        pytest.skip("needs bun, for TypeScript")
    examples = peer("@mariozechner/pi-coding-agent") / "examples/extensions"
    files = sorted(map(str, [*examples.glob("*.ts"), *examples.glob("*/index.ts")]))
    failures = shown(
        tmp_path,
        """
        const { plugin } = await import("bun");
        plugin({ name: "virtual", setup(build) {
          for (const name of virtualModules.keys()) {
            build.module(name, async () => ({ loader: "object", exports: await load(name) }));
          }
        } });
        const nothing = () => {};
        const api = new Proxy({ events: { on: nothing, emit: nothing }, then: undefined }, {
          get: (known, name) => (name in known ? known[name] : nothing),
        });
        const failures = [];
        for (const file of JSON.parse(process.env.FILES)) {
          await import(file).then((module) => module.default(api)).catch((error) => failures.push(error.message));
        }
        show(failures);
        process.exit(0);
        """,
        FILES=json.dumps(files),
    )
    assert len(files) >= 60
    assert [message for message in failures if "Cannot find package" not in message] == []
    assert len(failures) <= 3  # packages of theirs that are not installed
