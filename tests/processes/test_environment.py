"""A program gets what all programs need and what its manifest declares: no secrets of the caller, no loader tricks."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from pisces.processes.environment import child_env
from pisces.processes.launch import Launch
from pisces.processes.run import captured

SECRETS = """
    ANTHROPIC_API_KEY OPENAI_API_KEY GEMINI_API_KEY GITHUB_TOKEN GH_TOKEN AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN
    NPM_TOKEN DATABASE_URL SSH_AUTH_SOCK KUBECONFIG VAULT_TOKEN MY_PASSWORD PISCES_KEY GOOGLE_APPLICATION_CREDENTIALS
    """.split()
LOADERS = (
    "PATH LD_PRELOAD LD_LIBRARY_PATH NODE_OPTIONS PYTHONPATH BASH_ENV ENV DYLD_INSERT_LIBRARIES GIT_SSH_COMMAND".split()
)


def test_what_every_program_needs_is_passed_on() -> None:
    env = {"PATH": "/bin", "HOME": "/h", "LANG": "de_DE.UTF-8", "LC_ALL": "C", "TERM": "xterm", "XDG_CACHE_HOME": "/c"}
    assert child_env(env, {}) == {**env, "GEMINI_CLI": "1", "PISCES": "1"}


@pytest.mark.parametrize("name", SECRETS)
def test_secrets_of_the_caller_are_not(name: str) -> None:
    assert name not in child_env({name: "s3cr3t", "PATH": "/bin"}, {})


def test_what_would_run_code_in_every_program_is_not_passed_on_either() -> None:
    kept = child_env(dict.fromkeys(LOADERS, "x"), {})
    assert [name for name in LOADERS if name in kept] == ["PATH"]


@pytest.mark.parametrize("name", [*LOADERS, "path", "Ld_Preload", "PISCES_RUN", "HOME"])
def test_a_manifest_cannot_set_them(name: str) -> None:
    assert child_env({"PATH": "/bin"}, {name: "evil"}).get("PATH") == "/bin"
    assert "evil" not in child_env({}, {name: "evil"}).values()


def test_what_a_manifest_declares_beats_what_the_user_has() -> None:
    assert child_env({"LANG": "C", "SECRET": "x"}, {"LANG": "en", "INDEX": "/i"})["LANG"] == "en"


def test_a_manifest_cannot_say_that_it_runs_elsewhere() -> None:
    assert child_env({}, {"GEMINI_CLI": "0"})["GEMINI_CLI"] == "1"


@pytest.mark.parametrize("pair", [("", "x"), ("A=B", "x"), ("NUL\0", "x"), ("A", "\0")])
def test_names_that_no_system_takes_are_left_out(pair: tuple[str, str]) -> None:
    assert child_env({}, dict([pair])) == child_env({}, {})


def test_a_real_program_sees_just_that(tmp_path: Path) -> None:
    user = dict.fromkeys(SECRETS, "s3cr3t") | {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    env = child_env(user, {"NODE_OPTIONS": "--require /evil.js", "LD_PRELOAD": "/evil.so", "GALLERY_INDEX": "/i"})
    code = "import json, os; print(json.dumps(dict(os.environ)))"
    out, _, ended = captured(Launch((sys.executable, "-I", "-c", code), str(tmp_path), env))
    seen = json.loads(out)
    assert ended.code == 0
    assert "s3cr3t" not in out.decode()
    assert set(seen) - {"PATH", "HOME", "GALLERY_INDEX", "GEMINI_CLI", "PISCES", "LC_CTYPE"} == {"PISCES_RUN"}


def test_the_project_cannot_put_its_programs_into_the_search_path() -> None:
    path = os.pathsep.join(("", os.path.abspath("bin"), ".", "node_modules/.bin", ""))
    assert child_env({"PATH": path}, {})["PATH"] == os.path.abspath("bin")


@pytest.mark.parametrize("name", ["LC_API_KEY", "XDG_SECRET", "XDG_SESSION_TOKEN", "LC_", "XDG_", "LC_ALL_TOKENS"])
def test_a_name_that_only_begins_like_a_harmless_one_is_not_passed_on(name: str) -> None:
    assert name not in child_env({name: "s3cr3t"}, {})


@pytest.mark.parametrize("name", ["LC_MESSAGES", "LC_TIME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME", "XDG_DATA_DIRS"])
def test_names_of_the_standards_are_passed_on(name: str) -> None:
    assert child_env({name: "x"}, {})[name] == "x"
