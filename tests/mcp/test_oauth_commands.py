"""`pisces mcp login` and `logout`, as somebody types them. The browser is a request of the test."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from pisces.mcp.tokens import TokenStore
from tests.mcp.oauth_plans import home_in
from tests.mcp.servers.oauth_sdk import Running, authorizing_server

TIMEOUT = 60
NO_KEYRING = {"PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}


@pytest.fixture
def server() -> Iterator[Running]:
    with authorizing_server() as running:
        yield running


def shell(home: Path, *words: str, **env: str) -> subprocess.Popen[str]:
    folder = home / "work"
    folder.mkdir(exist_ok=True)
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    given = {**kept, "HOME": str(home), "USERPROFILE": str(home), "PISCES_SECRETS_STORE": "file", **env}
    return subprocess.Popen(
        [sys.executable, "-m", "pisces", *words],
        cwd=folder,
        env=given,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def configure(home: Path, level: str, **servers: dict[str, Any]) -> None:
    folder = home if level == "user" else home / "work"
    path = folder / ".gemini" / "settings.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"mcpServers": servers}))


def address_shown(running: subprocess.Popen[str]) -> str:
    assert running.stderr
    for line in running.stderr:
        if re.match(r"https?://\S+$", line):
            return line.strip()
    raise AssertionError("it shows no address")


def log_in(home: Path, *words: str) -> tuple[int, str, str]:
    running = shell(home, "mcp", "login", *words)
    with httpx2.Client(follow_redirects=True, trust_env=False) as browser:
        assert "You are logged in" in browser.get(address_shown(running)).text
    out, err = running.communicate(timeout=TIMEOUT)
    return running.returncode, out, err


def test_a_login_shows_the_address_waits_and_stores(server: Running, tmp_path: Path) -> None:
    configure(tmp_path, "user", mine={"httpUrl": server.url})
    code, out, err = log_in(tmp_path, "mine", "--no-browser")
    assert (code, out) == (0, "")
    assert f"logged in to mine at {server.base}" in err
    assert not [token for token in server.provider.every_token if token in err]
    [login] = TokenStore(home_in(tmp_path)).logins()
    assert (login.name, login.url, login.vault) == ("mine", server.url, "file")


def test_a_logout_revokes_and_forgets(server: Running, tmp_path: Path) -> None:
    configure(tmp_path, "user", mine={"httpUrl": server.url})
    log_in(tmp_path, "mine")
    running = shell(tmp_path, "mcp", "logout", "mine")
    _, err = running.communicate(timeout=TIMEOUT)
    assert (running.returncode, err) == (0, "logged out of mine: the tokens are revoked and forgotten\n")
    assert (server.provider.access, server.provider.refresh) == ({}, {})
    assert TokenStore(home_in(tmp_path)).logins() == ()
    again = shell(tmp_path, "mcp", "logout", "mine")
    assert again.communicate(timeout=TIMEOUT)[1] == "nobody is logged in to mine\n"
    assert again.returncode == 1


def test_a_logout_of_all_works_without_their_entries(server: Running, tmp_path: Path) -> None:
    configure(tmp_path, "user", mine={"httpUrl": server.url})
    log_in(tmp_path, "mine")
    configure(tmp_path, "user")
    running = shell(tmp_path, "mcp", "logout", "--all", "--output-format", "json")
    out, _ = running.communicate(timeout=TIMEOUT)
    assert running.returncode == 0
    assert "revoked and forgotten" in out
    assert TokenStore(home_in(tmp_path)).logins() == ()


def test_a_server_of_the_project_is_not_asked_before_somebody_agrees(server: Running, tmp_path: Path) -> None:
    (tmp_path / ".gemini").mkdir()
    (tmp_path / ".gemini" / "trustedFolders.json").write_text(json.dumps({str(tmp_path / "work"): "TRUST_FOLDER"}))
    configure(tmp_path, "project", theirs={"httpUrl": server.url})
    running = shell(tmp_path, "mcp", "login", "theirs")
    _, err = running.communicate(timeout=TIMEOUT)
    assert running.returncode == 1
    assert "the server `theirs` is not started" in err
    assert server.provider.log == []
    assert log_in(tmp_path, "theirs", "--yes")[0] == 0


def test_the_address_that_the_browser_ended_on_is_read_from_stdin(server: Running, tmp_path: Path) -> None:
    configure(tmp_path, "user", mine={"httpUrl": server.url})
    running = shell(tmp_path, "mcp", "login", "mine", "--paste")
    with httpx2.Client(trust_env=False) as browser:
        ended = browser.get(address_shown(running)).headers["location"]
    out, err = running.communicate(f"{ended}\n", timeout=TIMEOUT)
    assert (running.returncode, out) == (0, ""), err


@pytest.mark.parametrize(
    ("config", "words", "message"),
    [
        ({"command": "node"}, ("mine",), "nobody logs in to it"),
        ({"httpUrl": "http://127.0.0.1:9/mcp"}, ("mine",), "does not answer"),
        ({"httpUrl": "http://mcp.example/mcp"}, ("mine",), "plain http"),
        ({"httpUrl": "file:///etc/passwd"}, ("mine",), "is no address of HTTP"),
        ({"httpUrl": "http://127.0.0.1:9/mcp"}, ("mine", "--safe"), "safe mode"),
        ({"httpUrl": "http://127.0.0.1:9/mcp"}, ("other",), "there is no MCP server `other` here"),
    ],
)
def test_what_nobody_can_log_in_to_is_said(
    config: dict[str, Any], words: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    configure(tmp_path, "user", mine=config)
    running = shell(tmp_path, "mcp", "login", *words)
    _, err = running.communicate(timeout=TIMEOUT)
    assert running.returncode in (1, 2)
    assert message in err
    assert "Traceback" not in err


def test_nobody_waits_for_ever(server: Running, tmp_path: Path) -> None:
    configure(tmp_path, "user", mine={"httpUrl": server.url})
    running = shell(tmp_path, "mcp", "login", "mine", "--timeout", "0.2")
    _, err = running.communicate(timeout=TIMEOUT)
    assert running.returncode == 1
    assert "nobody logged in within 0.2 seconds" in err


def test_where_no_vault_works_nobody_logs_in_for_nothing(server: Running, tmp_path: Path) -> None:
    configure(tmp_path, "user", mine={"httpUrl": server.url})
    running = shell(tmp_path, "mcp", "login", "mine", PISCES_SECRETS_STORE="keyring", **NO_KEYRING)
    _, err = running.communicate(timeout=TIMEOUT)
    assert running.returncode == 1
    assert "secrets cannot be kept safely here" in err
    assert server.provider.log == []


def test_no_token_is_in_the_audit_log(server: Running, tmp_path: Path) -> None:
    configure(tmp_path, "user", mine={"httpUrl": server.url})
    log_in(tmp_path, "mine")
    shell(tmp_path, "mcp", "logout", "mine").communicate(timeout=TIMEOUT)
    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"logged in" in written
    assert server.provider.every_token
    assert not [token for token in server.provider.every_token if token.encode() in written]


def test_without_the_extra_a_login_says_what_to_install(tmp_path: Path) -> None:
    configure(tmp_path, "user", mine={"httpUrl": "http://127.0.0.1:9/mcp"})
    program = (
        "import sys; sys.modules['httpx2'] = None; from pisces.__main__ import main; main(['mcp', 'login', 'mine'])"
    )
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "USERPROFILE": str(tmp_path)}
    ran = subprocess.run(
        [sys.executable, "-c", program], env=env, cwd=tmp_path, capture_output=True, text=True, timeout=TIMEOUT
    )
    assert "mcp-sdk-missing" in ran.stderr
    assert 'pip install "pisces-agent[mcp]"' in ran.stderr
