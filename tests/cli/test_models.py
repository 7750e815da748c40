"""`pisces models` and `pisces models test`: what is there, what would be used, one request, and never a key."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from tests.models.recorder import Recorder
from tests.models.test_streams import made
from tests.warm_shell import pisces

SECRET = "sk-very-secret-key-of-somebody"
NAMES = ("PATH", "SYSTEMROOT", "TEMP", "TMP", "PYTHONPATH")


class Shell:
    def __init__(self, folder: Path) -> None:
        self.home, self.project = folder / "home", folder / "project"
        self.home.mkdir()
        (self.project / ".git").mkdir(parents=True)
        self.printed = ""

    def settings(self, text: str) -> None:
        file = self.home / ".pisces" / "agent" / "config.yml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def run(self, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
        passed = {name: os.environ[name] for name in NAMES if name in os.environ}
        home = {"HOME": str(self.home), "USERPROFILE": str(self.home), "OLLAMA_HOST": "127.0.0.1:9"}
        done = pisces("models", *words, cwd=self.project, env={**passed, **home, **env})
        self.printed = done.stdout + done.stderr
        assert "Traceback" not in self.printed
        assert SECRET not in self.printed
        return done


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def test_it_says_what_is_used_and_what_is_missing(shell: Shell) -> None:
    done = shell.run(MISTRAL_API_KEY=SECRET)
    assert done.returncode == 0
    assert "anthropic" in done.stdout
    assert "ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN is not set" in done.stdout
    assert "MISTRAL_API_KEY is set" in done.stdout
    assert "mistral/mistral-large-latest would be used: `MISTRAL_API_KEY` is set" in done.stderr


def test_programs_get_json(shell: Shell) -> None:
    done = shell.run("--output-format", "json", ANTHROPIC_API_KEY=SECRET)
    found = json.loads(done.stdout)
    assert found["used"]["name"] == "anthropic/claude-sonnet-5-5"
    assert found["used"]["prices"]["input"] == 2
    usable = {each["name"] for each in found["looked_for"] if each["usable"]}
    assert "anthropic" in usable
    assert "google" not in usable
    assert any(each["name"] == "anthropic/claude-opus-5-5" for each in found["known"]["anthropic"])


def test_a_password_in_an_address_is_not_shown(shell: Shell) -> None:
    done = shell.run("--output-format", "json", OPENAI_API_KEY="x", OPENAI_BASE_URL=f"https://me:{SECRET}@x.example/v1")
    assert done.returncode == 1
    assert json.loads(done.stdout)["diagnostics"][0]["code"] == "model-address"


def test_what_is_wrong_with_the_settings_is_said_with_its_line(shell: Shell) -> None:
    shell.settings("model: opus\nmodels:\n  local: {url: 'http://127.0.0.1:1', model: m}\n")
    done = shell.run(ANTHROPIC_API_KEY=SECRET)
    assert done.returncode == 1
    assert "config.yml:3" in done.stderr
    assert "[model-settings]" in done.stderr
    assert "anthropic/claude-opus-5-5 would be used: `model` in your `config.yml`" in done.stderr


@pytest.mark.parametrize("is_trusted", [True, False])
def test_a_project_chooses_by_name_and_only_if_it_is_trusted(shell: Shell, is_trusted: bool) -> None:
    shell.settings("model: opus\nmodels:\n  fast: {model: openai/gpt-6-luna}\n")
    (shell.project / ".pisces").mkdir()
    (shell.project / ".pisces" / "settings.json").write_text('{"model": "fast"}', encoding="utf-8")
    if is_trusted:
        real = os.path.normcase(os.path.realpath(shell.project))
        trusted = json.dumps({"version": 2, "folders": {real: {}}})
        (shell.home / ".pisces" / "agent" / "trusted.json").write_text(trusted, encoding="utf-8")
    shell.run(ANTHROPIC_API_KEY=SECRET, OPENAI_API_KEY=SECRET)
    used = "openai/gpt-6-luna" if is_trusted else "anthropic/claude-opus-5-5"
    assert f"{used} would be used" in shell.printed


def test_one_request_says_how_long_it_took_and_how_many_tokens(shell: Shell) -> None:
    with Recorder() as server:
        _, server.body = made("anthropic", 3)
        env = {"ANTHROPIC_API_KEY": SECRET, "ANTHROPIC_BASE_URL": server.url}
        assert shell.run("test", **env).returncode == 0
        assert "tokens in" in shell.printed
        done = shell.run("test", "haiku", "--output-format", "json", **env)
        assert [each["model"] for each in server.requests] == ["claude-sonnet-5-5", "claude-haiku-5-5"]
        assert "tools" not in server.requests[0]
    found = json.loads(done.stdout)
    assert found["model"] == "anthropic/claude-haiku-5-5"
    assert found["usage"]["output"] > 0
    assert found["cost"] > 0


def test_a_refused_key_is_a_failure_that_does_not_show_it(shell: Shell) -> None:
    with Recorder() as server:
        server.status, server.body = 401, json.dumps({"error": {"message": f"wrong key {SECRET}"}}).encode()
        env = {"ANTHROPIC_API_KEY": SECRET, "ANTHROPIC_BASE_URL": server.url}
        assert shell.run("test", **env).returncode == 1
        assert "wrong key *** (401)" in shell.printed
        assert "does not accept the key" in shell.printed
        done = shell.run("test", "--output-format", "json", **env)
        assert json.loads(done.stdout)["failed"]["status"] == 401


def test_a_model_without_a_key_is_said_with_the_variable(shell: Shell) -> None:
    done = shell.run("test", "xai")
    assert done.returncode == 1
    assert "[no-model-key]" in done.stderr
    assert "`XAI_API_KEY`" in done.stderr
