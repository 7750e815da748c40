"""No secret is in the log: not from a command line, an address, a header, an input or the environment."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pisces.audit.log import AuditLog
from pisces.audit.place import audit_log
from pisces.audit.record import RanRecord
from pisces.formats.masking import masked
from pisces.places import Places
from pisces.shapes.events.tools import ToolCall
from pisces.shapes.request import LineRequest, ToolRequest
from pisces.shapes.verdict import ALLOW, Judged, Verdict

SECRET = "Zx9-hunter2-Qw7"
LONG = "A1b2C3d4" * 150  # a signed token is longer than any line of a terminal

LINES = [
    f"curl -H 'Authorization: Bearer {SECRET}' https://api.example",
    f'curl -H "authorization: Basic {SECRET}" https://api.example',
    f"curl -H 'Cookie: session={SECRET}; theme=dark' https://api.example",
    f"curl -H 'X-Api-Key: {SECRET}' https://api.example",
    f"curl -H 'X-Auth-Key:{SECRET}' https://api.example",
    f"curl -u ada:{SECRET} https://api.example",
    f"curl --user 'ada:{SECRET}' https://api.example",
    f"curl https://ada:{SECRET}@api.example/path",
    f"git clone https://{SECRET}@api.example/repo.git",
    f"git clone https://ada:p@{SECRET}@api.example/repo.git",
    f"curl 'https://api.example/?key={SECRET}&x=1'",
    f"curl 'https://api.example/?x=1&access_token={SECRET}'",
    f"curl 'https://api.example/?X-Amz-Signature={SECRET}'",
    f"npm publish --token {SECRET}",
    f"npm publish --token={SECRET}",
    f"tool --api-key '{SECRET} with blanks'",
    f'tool --password "a \\" {SECRET}"',
    f"GITHUB_TOKEN={SECRET} gh pr list",
    f"export AWS_SECRET_ACCESS_KEY={SECRET}",
    f"PGPASSWORD={SECRET} psql",
    f"MYSQL_PWD={SECRET} mysql",
    f"DB_PASS={SECRET} ./serve",
    f"SSHPASS={SECRET} sshpass -e ssh host",
    f"gpg --passphrase {SECRET} -d x",
    f'echo \'{{"password": "{SECRET}"}}\' | http POST',
    f'echo "{{\\"client_secret\\": \\"{SECRET}\\"}}" | http POST',
    f"cat > .env <<E\nAPI_KEY={SECRET}\nE",
    f'api_key = "{SECRET}"',
    f"docker login -p x --password={SECRET}",
    f"curl -H 'Authorization: Bearer eyJ{LONG}.{SECRET}' https://api.example",
    f"gh auth login --with-token <<< ghp_{LONG}{SECRET}",
    f"echo sk-{LONG}{SECRET}",
    f"curl -H Authorization:Bearer\\ {SECRET} https://api.example",
    f"sshpass -p {SECRET} ssh host",
    f"sshpass -p{SECRET} ssh host",
    f"docker login -u ada -p {SECRET} registry.example",
    f"mysql -h db -u root -p{SECRET} shop",
    f"openssl rsa -passin pass:{SECRET}",
    f"curl https://hooks.slack.com/services/T000/B000/{SECRET}",
    f"curl https://api.telegram.org/bot123:{SECRET}/getMe",
    f"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n{SECRET}\n-----END RSA PRIVATE KEY-----",
    f"-----BEGIN RSA PRIVATE KEY-----\n{SECRET}\n-----END RSA PRIVATE KEY-----",
]

INPUTS: list[dict[str, Any]] = [
    {"env": {"ANYTHING": SECRET}},
    {"headers": {"X-Whatever": SECRET}},
    {"apiKey": SECRET},
    {"nested": [{"deep": {"accessToken": SECRET}}]},
    {"argv": ["deploy", "--token", SECRET]},
    {"argv": ["deploy", f"--api-key={SECRET}"]},
    {"url": f"https://ada:{SECRET}@api.example"},
    {"body": json.dumps({"password": SECRET})},
    {"body": json.dumps({"body": json.dumps({"password": SECRET})})},
    {"body": json.dumps({"headers": f"Authorization: Bearer {SECRET}"})},
    {"content": f"DATABASE_PASSWORD={SECRET}\n"},
    {"content": "x" * 3_980 + f" --token {SECRET}"},
    {"content": "x" * 3_950 + f" sk-{SECRET}{SECRET}{SECRET}"},
]


@pytest.fixture
def log(tmp_path: Path) -> AuditLog:
    return audit_log(Places(str(tmp_path), "/work", {}))


def content(log: AuditLog) -> str:
    return Path(log.path).read_text("ascii")


@pytest.mark.parametrize("line", LINES)
def test_a_command_line_loses_its_secret_and_nothing_before_it(line: str, log: AuditLog) -> None:
    log.judged(Judged(LineRequest(line, "/deploy", "/deploy.toml"), Verdict(ALLOW, "user")))
    assert SECRET not in content(log)
    assert json.loads(content(log))["text"][:3] == line[:3]
    assert SECRET not in masked(line)


@pytest.mark.parametrize("given", INPUTS, ids=lambda given: json.dumps(given)[-60:])
def test_an_input_loses_its_secret(given: dict[str, Any], log: AuditLog) -> None:
    log.judged(Judged(ToolRequest(ToolCall("http", "1", given)), Verdict(ALLOW, "user")))
    assert SECRET not in content(log)
    assert "hunter2" not in content(log)
    json.loads(content(log))


@pytest.mark.parametrize("line", LINES)
def test_reasons_and_names_lose_it_as_well(line: str, log: AuditLog) -> None:
    log.judged(Judged(LineRequest("ls", line, line), Verdict(ALLOW, line, line), (Verdict(ALLOW, line),)))
    log.write(RanRecord("program", line, line, why=line))
    assert SECRET not in content(log)


@pytest.mark.parametrize("value", [SECRET, 'with "quotes" and \\', "über-geheim-\U0001f600", "l" * 5_000])
def test_values_of_secret_variables_are_masked_wherever_they_stand(value: str, tmp_path: Path) -> None:
    env = {"OPENAI_API_KEY": value, "EDITOR": "nano", "USER_TOKEN": "abc"}
    log = audit_log(Places(str(tmp_path), f"/work/{value}", env))
    log.judged(Judged(LineRequest(f"deploy {value} now", "/x", "/x"), Verdict(ALLOW, value, f"because {value}")))
    log.judged(Judged(ToolRequest(ToolCall("say", "1", {"words": [f"<{value}>"]})), Verdict(ALLOW)))
    found: list[dict[str, Any]] = [each.as_json() for each in log.records()]
    assert value not in json.dumps(found, ensure_ascii=False)
    assert value[:12] not in str([each["text"] for each in found])
    assert found[0]["text"].startswith("deploy •••")


def test_a_secret_that_becomes_known_later_is_masked_from_then_on(log: AuditLog) -> None:
    log.hide("swordfish")
    log.write(RanRecord("program", "/go", "open swordfish"))
    assert "swordfish" not in content(log)


@pytest.mark.parametrize(
    "harmless",
    [
        "git status --short",
        "make --path=/usr/share PATH=/bin",
        "docker run -u 1000:1000 alpine",
        "unexpected token at the end of the file",
        "the secret of a good review",
        '{"max_tokens": 4096, "author": "ada", "auth": true}',
        "https://example.com/a@b?x=1",
        "ssh git@github.com",
        "patch -p1 < fix.patch",
        "mysql -h db -u root -p shop",
        "docker run -p 80:80 nginx",
    ],
)
def test_what_is_no_secret_stays(harmless: str, log: AuditLog) -> None:
    log.write(RanRecord("program", "/go", harmless))
    assert json.loads(content(log))["text"] == harmless
