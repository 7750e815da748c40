"""Secrets and whole environments that leave the machine."""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, WARNING, Diagnostics, Rule
from pisces.scanning.detector import Detector
from pisces.scanning.page import Page, excerpt
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
    # JSON.stringify(process.env), requests.post(url, json=dict(os.environ))
    re.compile(
        r"(?:\bfetch|axios\.post|requests\.post"
        r"|httpx\.post)\([^\n]{0,200}(?:JSON\.stringify\(process\.env\b(?![.\[])|os\.environ\b(?![.\[]))"
    ),
)
_DROPS = re.compile(
    r"\b(?:webhook\.site|requestbin\.(?:com|net)"
    r"|[\w-]{1,40}\.m\.pipedream\.net|[\w-]{1,60}\.(?:oast\.(?:fun|pro|live|site|me)"
    r"|interact\.sh|burpcollaborator\.net|ngrok(?:-free)?\.(?:io|app|dev)|trycloudflare\.com|loca\.lt|serveo\.net)"
    r"|discord(?:app)?\.com/api/webhooks/\d|api\.telegram\.org/bot\d|pastebin\.com/(?:raw|api))",
    re.I,
)


def _find(page: Page) -> Diagnostics:
    for found in page.matches(_PATTERNS, _SENDING):
        yield page.weighed(SECRETS_SENT, found.start(), f"`{excerpt(found[0])}` sends secrets")
    for found in page.matches((_DROPS,), _DROPPING):
        yield page.weighed(DROP_HOST, found.start(), f"`{excerpt(found[0])}` is an address for anybody's use")


_SENDING = words(
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
