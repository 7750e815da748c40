"""Secrets that a program reads and sends away, in one file or in one chain of files."""

from __future__ import annotations

import re
from itertools import islice

from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostic, Diagnostics, Rule
from pisces.scanning.clues import Clue, first, seen
from pisces.scanning.detector import Detector
from pisces.scanning.detectors.secrets_sent import SECRETS_SENT
from pisces.scanning.embedded import shown_script
from pisces.scanning.page import Page, excerpt
from pisces.scanning.quiet import is_pattern
from pisces.scanning.roles import PROMPT, SHELL, SOURCE
from pisces.scanning.secret_sources import (
    HOOK_INPUT,
    KEY_FILES,
    SCREEN,
    SECRET_VARIABLES,
    TOKEN_COMMANDS,
    TRANSCRIPT,
    WATCHES,
    WHOLE_ENVIRONMENT,
)
from pisces.scanning.sinks import BUILT_ADDRESSES, DROPS, HEADERS, NAME_QUERIES, UPLOADS
from pisces.scanning.taint import flow_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    Place = tuple[Clue, re.Match[str]]

NAME_QUERY = Rule("scan-name-query", ERROR, "Data leave as the name of a host that is looked up")
INPUT_SENT = Rule("scan-input-sent", ERROR, "A hook sends away what it is given")

_READS = re.compile(
    r"read_text|read_bytes|readFile|\bopen\(|\bcat\b|\bcp\b|\btar\b|\bzip\b|\bcopy|\bbase64\b|\bhead\b|\bgrep\b"
    r"|\.read\(|glob|walk|readdir"
    r"|existsSync|exists\(|sqlite|@|<|\bcurl\b|\bfind\b|scandir|Get-Content|file_get_contents|gist\s{1,4}create|\.file\(|\bsync\b",
    re.I,
)
# The name of a list of what is forbidden, where it gets its value.
_FORBIDDING = re.compile(
    r"\b\w{0,30}(?:deny|denied|block|forbid|sensitive|protect|redact|ignore|exclu|skip|secret_?pat|danger"
    r"|restrict)\w{0,30}"
    r"\s{0,4}(?::[^=\n]{0,60})?[=:]\s{0,4}(?:new\s|frozenset|set|re\.|tuple|\[|\(|\{|/)",
    re.I,
)
_HOST = re.compile(r"https?://([\w.-]{3,100})")
_ISSUER = re.compile(
    r"(?:[\w-]{1,60}\.){0,5}(?:github\.com|githubusercontent\.com|githubcopilot\.com|ghcr\.io|googleapis\.com|google\.com"
    r"|amazonaws\.com|azure\.com|windows\.net|microsoft\.com|microsoftonline\.com|npmjs\.(?:org|com)|gitlab\.com"
    r"|run\.app|anthropic\.com|openai\.com)$|localhost|127\.|169\.254\.|metadata\.google"
)
_NAMES_ENV = re.compile(r"\.env[\"'`]")
_ENV_READ = re.compile(
    r"\b(?P<name>\w{1,40})\s{0,4}=\s{0,4}(?:await\s)?[\w.]{0,40}(?:readFileSync|readFile|open|read_text|Path|file|File\.read|file_get_contents)\("
    r"[^\n;]{0,60}[\"'`/]\.env[\"'`][^\n;]{0,40}(?<!parse)(?=[;\n]|$)"
    r"|\bopen\([^\n;]{0,40}[\"'/]\.env[\"'][^\n]{0,20}as\s\w{1,20}:\s{1,40}(?P<given>\w{1,40})\s{0,4}=\s{0,4}\w{1,20}\.read\("
)
_REQUEST = re.compile(
    r"\bfetch\(|\burlopen\(|\b(?:requests|httpx|axios|got|ky|undici|client|session|http|https|c|s)\.(?:get|head|request|stream|options)\("
)
ENDLESS = re.compile(
    r"\bwhile\s{1,4}(?:True|true|1|:)|\bwhile\s{0,4}\(\s{0,4}(?:true|1)|\bsetInterval\(|\bfor\s{0,4}\(;;\)"
)
_BODY = re.compile(r"\b(?:body|data|json|files|content)[\"']?\s{0,2}[:=]|\.(?:post|put)\(|\bRequest\([^\n]{1,120},")
_PIPED = re.compile(
    r"stdin\s{0,4}\.pipe\(|body[\"']?\s{0,2}[:=]\s{0,2}(?:await\s)?(?:process\.stdin|Bun\.stdin|sys\.stdin|Deno\.stdin)"
    r"|data\s{0,2}=\s{0,2}sys\.stdin"
)
# `"NAME" in os.environ` asks for one variable; `mkdir ~/.ssh` reads nothing.
_ASKED = re.compile(
    r"(?:[\"']|\b(?:if|elif|and|or|not|while|return)\s{1,4}(?:not\s)?[\w.]{1,60})\s{1,4}(?:not\s{1,4})?in\s{1,4}$"
)
_MADE = re.compile(r"\b(?:touch|mkdir|chmod|chown|install\s-d|ssh-keygen|HISTFILE=)[^\n;&|]{0,90}$")
_LINE = 120
_SIDE = 500
_FAR = 20_000
_LESS = {ERROR: WARNING, WARNING: NOTE, NOTE: NOTE}
_SENDERS = frozenset(
    b"curl wget nc ncat netcat fetch requests httpx axios urlopen scp rsync rclone gist gh aws gsutil az s3cmd socat"
    b" openssl git dig nslookup mail sendmail irm iwr invoke post xh ftp sftp ssh".split()
)
_MOST_SHOWN = 60
_MOST = 500  # names of files that are looked at in one page
_OWN_HEADER = re.compile(r"authorization|bearer|x-api-key|api-key|token:", re.I)
_CODED = re.compile(r"base64|btoa|hexlify|toString\(\s{0,4}[\"'](?:hex|base64)|xxd|\bfold\b|\.slice\(|\bsplit\b", re.I)


def _find(page: Page) -> Diagnostics:
    for each, found in islice(seen(page, NAME_QUERIES), _MOST):
        yield _name_query(page, each, found)
    if page.role == PROMPT:
        yield from _shown_and_sent(page)
    elif page.role in (SHELL, SOURCE):
        yield from _sent(page)


def _shown_and_sent(page: Page) -> Diagnostics:
    """Commands of a prompt that read a secret and send it, in one block or one paragraph."""
    if _SENDERS.isdisjoint(page.tokens):
        return
    begins: set[int] = set()
    for _, found in islice(seen(page, (*KEY_FILES, *TOKEN_COMMANDS, *WHOLE_ENVIRONMENT)), _MOST_SHOWN):
        shown = shown_script(page, found.start())
        if shown and shown[0] not in begins:
            begin, script = shown
            begins.add(begin)
            for each in _sent(script):
                line, column = page.place(begin + script.offset((each.line, each.column)))
                yield each.replace(path=page.path, line=line, column=column)


def _name_query(page: Page, each: Clue, found: re.Match[str]) -> Diagnostic:
    """A host name that is only a variable is an ordinary question; one that holds a command's output is not."""
    finding = page.weighed_in_program(NAME_QUERY, found.start(), f"`{excerpt(found[0])}` {each.what}")
    holds_output = "$(" in found[0] or ("`" in found[0] and page.role == SHELL)
    reads = first(page, (*KEY_FILES, *TOKEN_COMMANDS, *SECRET_VARIABLES, *WHOLE_ENVIRONMENT))
    if holds_output or reads or _CODED.search(page.text, max(0, found.start() - _SIDE), found.end()):
        return finding
    return finding.replace(severity=NOTE)


def sink_of(page: Page) -> Place | None:
    """The first way by which something leaves."""
    return first(page, UPLOADS) or first(page, NAME_QUERIES) or first(page, BUILT_ADDRESSES) or first(page, DROPS)


def _file_sent(page: Page) -> Diagnostics:
    """The text of a `.env` file that is read into a name and sent under this name, as it is."""
    for found in islice(_ENV_READ.finditer(page.text), _MOST_SHOWN) if _NAMES_ENV.search(page.text) else ():
        name = found["name"] or found["given"]
        sent = re.compile(
            rf"\b(?:body|data|json|content|payload|text|files?|params)[\"']?\s{{0,4}}[:=][^\n;]{{0,80}}\b{name}\b(?!\s{{0,2}}[.\[(])"
            rf"|\.(?:post|put|send|sendall|write)\([^\n]{{0,120}}\b{name}\b(?!\s{{0,2}}[.\[(])|(?:encodeURIComponent|btoa|b64encode|quote)\(\s{{0,4}}{name}\b"
        ).search(page.text, found.end(), found.end() + _FAR)
        sink = sent and sink_of(page)
        if sent and sink and not _ISSUER.match(sink[1][0]):
            message = f"the file reads `.env` (`{excerpt(found[0])}`) and {sink[0].what} (`{excerpt(sent[0])}`)"
            yield page.weighed_in_program(SECRETS_SENT, found.start(), message)
            return


def _sent(page: Page) -> Diagnostics:
    source = source_of(page)
    if source is None and page.role == SOURCE:
        yield from _file_sent(page)
    sink = sink_of(page) if source or page.is_hook else None
    if (source or page.is_hook) and sink is None and not _goes_home(page):
        sink = first(page, HEADERS)
        yield from _flows_out(page, source) if source and sink is None and page.role == SOURCE else ()
    if sink is None:
        return
    if source is None:
        yield from _input_sent(page, sink)
        return
    what, severity = source
    message = f"the file reads {what[0].what} (`{excerpt(what[1][0])}`) and {sink[0].what} (`{excerpt(sink[1][0])}`)"
    finding = page.weighed_in_program(SECRETS_SENT, what[1].start(), message)
    if finding.severity == ERROR and (_is_far(what[1], sink[1]) or is_pattern(_around(page, what[1]))):
        severity = _LESS[severity]
    yield finding.replace(severity=severity) if finding.severity == ERROR else finding


def _flows_out(page: Page, source: tuple[Place, str]) -> Diagnostics:
    """A secret that goes into a request by way of names: in a header, in a path, in an argument."""
    (what, found), severity = source
    flow = flow_of(page, what.pattern) if severity == ERROR else None
    for each in flow.statements if flow else ():
        request = _REQUEST.search(each.text)
        if flow and request and not flow.names.isdisjoint(each.words) and len(flow.names) <= _MOST_SHOWN:
            message = (
                f"the file reads {what.what} (`{excerpt(found[0])}`), which goes into `{excerpt(each.text.strip())}`"
            )
            yield page.weighed_in_program(SECRETS_SENT, found.start(), message)
            return


def _is_far(read: re.Match[str], sent: re.Match[str]) -> bool:
    """In a bundle of many libraries, two places have little to do with each other."""
    return abs(read.start() - sent.start()) > _FAR


def _around(page: Page, found: re.Match[str]) -> str:
    """A match with the signs that touch it; those of its line do not count."""
    return page.text[max(0, found.start() - 2) : found.end() + 2]


def _input_sent(page: Page, sink: Place) -> Diagnostics:
    """A hook that sends what it is given: what the user wrote, what a tool read."""
    given = first(page, HOOK_INPUT)
    if given:
        read, sent = excerpt(given[1][0]), excerpt(sink[1][0])
        message = f"the hook reads what the agent does (`{read}`) and {sink[0].what} (`{sent}`)"
        finding = page.weighed(INPUT_SENT, sink[1].start(), message)
        is_direct = (
            bool(_PIPED.search(page.text))
            or page.place(given[1].start())[0] == page.place(sink[1].start())[0]
            or bool(first(page, DROPS))
        )
        is_direct = is_direct or _input_flows(page, TRANSCRIPT) or _input_flows(page, HOOK_INPUT)
        is_direct = is_direct and not is_pattern(_around(page, sink[1]))
        yield finding if is_direct or finding.severity != ERROR else finding.replace(severity=WARNING)


def _input_flows(page: Page, given: tuple[Clue, ...]) -> bool:
    """Whether a transcript, or what a hook is given, goes as it is to an address that is written into the hook."""
    if page.role != SOURCE or not first(page, given) or _goes_home(page):
        return False
    flow = flow_of(page, given[0].pattern)
    sends = (each for each in flow.statements if _BODY.search(each.text) and _HOST.search(each.text))
    return len(flow.names) <= _MOST_SHOWN and any(not flow.names.isdisjoint(each.words) for each in sends)


def source_of(page: Page) -> tuple[Place, str] | None:
    """The first secret that is read, with the severity of sending it; what only stands in a list of rules is less."""
    weaker: tuple[Place, str] | None = None
    for each, found in islice(seen(page, KEY_FILES), _MOST):
        side = page.text[max(0, found.start() - _SIDE) : found.end() + _SIDE]
        if _MADE.search(page.text[: found.start()][-_LINE:]):
            continue
        if _READS.search(side):
            if not _FORBIDDING.search(side):
                return (each, found), ERROR
            weaker = weaker or ((each, found), WARNING)
    for environment in islice(seen(page, WHOLE_ENVIRONMENT), _MOST):
        if not _is_handed_on(page, environment[1]) and not _ASKED.search(page.text[: environment[1].start()][-_LINE:]):
            return environment, ERROR
    token = next((place for place in seen(page, TOKEN_COMMANDS)), None)
    if token and not (_OWN_HEADER.search(page.text) and _goes_home(page)):
        return token, WARNING if _OWN_HEADER.search(page.text) and _only_home(page, token[0]) else ERROR
    watches = first(page, WATCHES)
    if watches:
        return watches, ERROR
    screen = first(page, SCREEN)
    if screen:
        return screen, ERROR if ENDLESS.search(page.text) else NOTE
    return weaker or ((token, NOTE) if token else None)


def _goes_home(page: Page) -> bool:
    """Whether every address in the page is one of a service that gives out such tokens."""
    return all(_ISSUER.match(found[1]) for found in islice(_HOST.finditer(page.text), _MOST))


def _only_home(page: Page, token: Clue) -> bool:
    """Whether a token goes, by way of names, to the service that gave it out, and to nobody else."""
    flow = flow_of(page, token.pattern)
    used = [each.text for each in flow.statements if not flow.names.isdisjoint(each.words)]
    hosts = [host for text in used for host in _HOST.findall(text)]
    return bool(hosts) and all(_ISSUER.match(host) for host in hosts)


def _is_handed_on(page: Page, found: re.Match[str]) -> bool:
    """Whether the environment is given to a child process, which is the ordinary use of it."""
    line = page.text[max(0, found.start() - 200) : found.end() + 120]
    return bool(
        re.search(
            r"[(,]\s{0,40}env\s{0,2}=|\benv\s{0,2}=\s{0,2}(?:\{|dict\(|os\.environ)|\*\*os\.environ|\bspawn|subprocess|\bPopen|\bexec\w{0,8}\(|\benv\s{0,2}:\s{0,2}\{",
            line,
        )
    )


DETECTOR = Detector("secrets that a program reads and sends", _find, in_plain_text=True, in_references=True)
