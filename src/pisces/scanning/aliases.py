"""A program with the real names of what it imports, and with the values of its constants where paths are built.

`const { get } = require("https")` makes `get(...)` the same as `https.get(...)`; after `d = "~/.ssh"`, `d / "config"`
is `"~/.ssh/config"`. So detectors need one spelling of each call and each path.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_JS_MODULES = "net|tls|http|https|http2|dgram|dns|dns/promises|vm|child_process|undici"
_MEMBERS = (
    r"get|request|connect|createConnection|Socket|createSocket|resolve\w{0,6}|lookup|runIn\w{1,20}|Script"
    r"|exec|execSync|fetch|promises"
)
_JS_MEMBERS = re.compile(
    r"\{(?P<names>[^{}\n]{1,200})\}\s{0,4}(?:=\s{0,4}(?:await\s{1,4})?[\w$.]{1,30}\(\s{0,4}|\s{0,4}from\s{1,4})"
    rf"[\"'](?:node:)?(?P<module>{_JS_MODULES})[\"']"
)
_JS_WHOLE = re.compile(
    r"(?:\*\s{1,4}as\s{1,4}|\b(?:const|let|var|import|,)\s{1,4})(?P<name>[\w$]{1,40})\s{0,4}"
    r"(?:=\s{0,4}(?:await\s{1,4})?[\w$.]{1,30}\(\s{0,4}|\s{0,4}from\s{1,4})"
    rf"[\"'](?:node:)?(?P<module>{_JS_MODULES})[\"']"
)
_JS_MEMBER = re.compile(
    r"\b(?:const|let|var)\s{1,4}(?P<name>[\w$]{1,40})\s{0,4}=\s{0,4}[\w$.]{1,30}\(\s{0,4}"
    rf"[\"'](?:node:)?(?P<module>{_JS_MODULES})[\"']\s{{0,4}}\)\.(?P<member>{_MEMBERS})\b"
)
_REQUIRED = re.compile(
    rf"(?:\b[\w.]{{1,30}}\.)?\brequire\(\s{{0,4}}[\"'](?:node:)?(?P<module>{_JS_MODULES})[\"']\s{{0,4}}\)(?=\.\w)"
)
_PROMISED = re.compile(
    r"\b(?P<name>\w{1,40})\s{0,4}=\s{0,4}(?:util\.)?promisify\(\s{0,4}(?:[\w$]{1,30}\.)?(?P<member>exec|execFile)\b"
)
_RENAMED = re.compile(
    r"(?P<real>[\w$]{1,40})(?:\s{0,4}:\s{0,4}|\s{1,4}as\s{1,4})(?P<name>[\w$]{1,40})|(?P<same>[\w$]{1,40})"
)
_PY_MODULES = (
    "socket|subprocess|os|pty|requests|httpx|aiohttp|urllib3|urllib.request|http.client|smtplib|pickle|marshal|asyncio|ssl"
    "|importlib|base64|zlib|codecs|shutil|builtins|ctypes|runpy"
).replace(".", r"\.")
_PY_MEMBERS = re.compile(
    rf"^[ \t]{{0,40}}from[ \t]{{1,4}}(?P<module>{_PY_MODULES})[ \t]{{1,4}}import[ \t]{{1,4}}\(?"
    r"(?P<names>[\w, \t]{1,300})",
    re.M,
)
_PY_WHOLE = re.compile(
    rf"^[ \t]{{0,40}}import[ \t][^\n]{{0,200}}?\b(?P<module>{_PY_MODULES})"
    r"[ \t]{1,4}as[ \t]{1,4}(?P<name>\w{1,40})",
    re.M,
)
_PY_LOADED = re.compile(
    rf"^[ \t]{{0,40}}(?P<name>\w{{1,40}})[ \t]{{0,4}}=[ \t]{{0,4}}(?:__import__|(?:importlib\.)?import_module)\("
    rf"[ \t]{{0,4}}[\"'](?P<module>{_PY_MODULES})[\"']",
    re.M,
)
_KNOWN_BARE = frozenset("urlopen urlretrieve Popen exec execSync spawn fetch environ b64decode".split())
_VALUE = re.compile(
    r"^[ \t]{0,40}(?:(?:export|const|let|var|final|static)[ \t]{1,4}){0,2}(?P<name>[A-Za-z_]\w{1,40})"
    r"(?::[ \t]{0,4}\w{1,20})?[ \t]{0,4}=[ \t]{0,4}(?:[\w.]{0,40}\(){0,3}[rf]?"
    r"[\"'`](?P<value>[~./$][\w./~${} -]{1,100})[\"'`]"
    r"(?:[ \t]{0,4},[ \t]{0,4}\w{1,20}[ \t]{0,2}=[^()\n]{1,20})?\){0,3}[ \t]{0,4};?[ \t]{0,4}$",
    re.M,
)
_HOME_NAME = re.compile(
    r"^[ \t]{0,40}(?:(?:const|let|var)[ \t]{1,4})?(?P<name>[A-Za-z_]\w{0,40})[ \t]{0,4}=[ \t]{0,4}(?:pathlib\.)?"
    r"(?P<home>Path\.home\(\)|os\.path\.expanduser\([\"']~/?[\"']\)|(?:os\.)?homedir\(\)"
    r"|process\.env\.HOME)[ \t]{0,4};?[ \t]{0,4}$",
    re.M,
)
_MOST = 60


def with_real_names(text: str) -> str:
    text = _REQUIRED.sub(lambda found: found["module"].removesuffix("/promises"), text) if "require(" in text else text
    calls = dict(_called(text))
    if calls:
        names = "|".join(map(re.escape, calls))
        text = re.sub(rf"(?<![\w.$\"'`])(?:{names})(?=\s{{0,4}}\()", lambda found: calls[found[0]], text)
    modules = dict(_modules(text))
    if modules:
        names = "|".join(map(re.escape, modules))
        text = re.sub(rf"(?<![\w.$\"'`])(?:{names})(?=\.\w)", lambda found: modules[found[0]], text)
    return text


def _called(text: str) -> Iterator[tuple[str, str]]:
    """Names of functions, each with its module."""
    for found in (*_JS_MEMBERS.finditer(text), *_PY_MEMBERS.finditer(text)) if "import" in text or "=" in text else ():
        module = found["module"].removesuffix("/promises")
        for each in _RENAMED.finditer(found["names"][:200]):
            real, name = each["real"] or each["same"], each["name"] or each["same"]
            is_known = real == name and real in _KNOWN_BARE
            if not is_known and (re.fullmatch(_MEMBERS, real) or found.re is _PY_MEMBERS):
                yield name, f"{module}.{real}"
    for found in _PROMISED.finditer(text) if "promisify" in text else ():
        yield found["name"], f"child_process.{found['member']}"
    for found in _JS_MEMBER.finditer(text):
        yield found["name"], f"{found['module']}.{found['member']}"


def _modules(text: str) -> Iterator[tuple[str, str]]:
    """Other names of modules."""
    for pattern in (_JS_WHOLE, _PY_WHOLE, _PY_LOADED):
        for found in pattern.finditer(text):
            module = found["module"].removesuffix("/promises")
            if found["name"] != module and found["name"] != "import":
                yield found["name"], module


def _with_home(text: str) -> str:
    """The user's home where a program goes through it or deletes it under a name."""
    names = (
        {found["name"]: found["home"] for found in _HOME_NAME.finditer(text)} if "ome" in text or "OME" in text else {}
    )
    if not names or len(names) > _MOST:
        return text
    used = re.compile(rf"(?<![\w.$\"'])(?P<name>{'|'.join(names)})(?=\.(?:iterdir|rglob|glob)\(|\s{{0,4}}[,)])")
    return used.sub(lambda one: names[one["name"]], text)


def with_values(text: str) -> str:
    """Constants that are paths, put into the paths that are built with them, one after the other."""
    text = _with_home(text)
    values: dict[str, str] = {}
    for found in _VALUE.finditer(text):
        if len(values) < _MOST and not found["value"].startswith("."):
            values.setdefault(found["name"], found["value"].rstrip("/"))
    if not values:
        return text
    names = "|".join(values)
    used = re.compile(
        rf"(?<![\w.$\"'])(?P<built>{names})\s{{0,4}}(?:/|,|\+)\s{{0,4}}[\"'`]/?(?=[\w.])|\$?\{{(?P<filled>{names})\}}"
    )
    return used.sub(lambda one: f'"{values[one["built"]]}/' if one["built"] else values[one["filled"]], text)
