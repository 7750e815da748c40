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
