"""Code that comes from the network and runs: evaluated, unpickled, imported, or saved as a file that is started."""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostics, Rule
from pisces.scanning.contexts import READ, RUNS
from pisces.scanning.detector import Detector
from pisces.scanning.detectors.remote_shell import INSTALLER
from pisces.scanning.page import Page, excerpt
from pisces.scanning.roles import PROMPT, SHELL, SOURCE
from pisces.scanning.suspicious_hosts import is_suspicious
from pisces.scanning.taint import NetworkFlow, bound_here, flow_of
from pisces.scanning.words import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

FETCHED_CODE = Rule("scan-fetched-code", ERROR, "What comes from the network is run as code")
DOWNLOAD_RUN = Rule("scan-download-run", ERROR, "A file is downloaded and then started")

_FETCH = re.compile(
    r"urlopen\(|urlretrieve\(|[\"'](?:curl|wget)[\"'],|\brequests\.(?:get|post|request|Session)\(|\bfetch\("
    r"|\bhttpx\.(?:get|post|stream|request)\(|\b(?:client|session|pool|http|api)\.(?:get|post|request|stream)\("
    r"|\baxios(?:\.get|\.post|\.request)?\(|\b(?:got|ky|needle|superagent|ofetch|undici)(?:\.\w{3,8})?\("
    r"|(?<![\w.])request\(\s{0,40}[\"'`]https?:|\bhttp2\.connect\(|\.request\(\s{0,9}\{\s{0,9}[\"']:"
    r"|\.request\(\s{0,40}[\"'](?:GET|POST)[\"']|\bhttps?\.get\(|\bhttps?\.request\(|aiohttp|\.recv(?:from)?\(|DownloadString\(|DownloadData\(|Net::HTTP"
    r"|HttpClient|\bnew\s{1,4}(?:WebSocket|EventSource)\(|websockets?\.connect\("
    r"|\bInvoke-(?:WebRequest|RestMethod)\b|\b(?:iwr|irm)\s|\bfile_get_contents\(\s{0,4}(?:[\"']https?:|\$)|\bcurl_exec\(|\bhttp\.Get\("
    r"|(?<![\w.])get\(\s{0,4}[\"']https?://|\bURI\.open\(|\bLWP::|\bHTTP::Tiny|\bTCPSocket\b|(?:popen|shell_exec|system|exec\w{0,8}|check_output|getoutput|run|Command)"
    r"\(\s{0,4}[\[(]?\s{0,4}f?[\"'`](?:[\w ]{1,20} )?(?:curl|wget)\b|(?:[=(]\s{0,4}|%x|qx)[`({\[]\s{0,4}(?:curl"
    r"|wget)\b|\$\(\s{0,4}(?:curl|wget)\b"
    r"|addEventListener\(\s{0,4}[\"']message[\"']|(?<!stdin)(?<!stdout)(?<!stderr)\.on\(\s{0,40}[\"'](?:data|message)[\"']|\.onmessage\b",
)
_CODE_CALL = re.compile(
    r"(?:(?<![\w.:$])(?:exec|eval|compile|Function|load|loadstring|assert|create_function|instance_eval|class_eval|system|shell_exec"
    r"|passthru)|\bWebAssembly\.(?:instantiate|compile)(?:Streaming)?|scriptblock\]::Create|Assembly\]::Load|\bnew\s{1,4}Function|\bvm\.\w{1,30}|runIn\w{1,20}Context"
    r"|\._compile|\bimport"
    r"|\b(?:pickle|cPickle|marshal|dill|cloudpickle|joblib|torch)\.loads?|exec_module|\beval_r|\byaml\.unsafe_load(?:_all)?|\byaml\.load(?=[^\n]{0,200}Unsafe)"
    r"|\bos\.(?:system|popen)|\bexecSync|\b(?:child_process|cp)\.exec(?:Sync)?|create_subprocess_shell"
    r"|subprocess\.get(?:status)?output|(?:\.constructor|\[\s{0,4}[\"']constructor[\"']\s{0,4}\])\)?)"
    r"\s{0,4}\((?P<arguments>[^\n]{0,300})"
)
# eval "$code", iex $code, bash -c "$code", echo "$code" | sh
_WORD_CALL = re.compile(
    r"(?<![\w.$-])(?:eval|(?i:iex|Invoke-Expression)|(?:ba|z|da|k)?sh\s{1,4}-c|python[\d.]{0,4}\s{1,4}-c|node\s{1,4}-e|perl\s{1,4}-e"
    r"|(?:ba|z|da|k)?sh\s{0,4}<<<)\s{1,4}[\"'(]{0,2}\$\{?(?P<arguments>\w{1,60})"
    r"|\b(?:echo|printf)\s(?:[\"']?%s[\"']?\s|-\w\s){0,2}[\"']?\$\{?(?P<piped>\w{1,60})\}?[\"']?\s{0,4}\|\s{0,4}(?:sudo\s)?(?:(?:ba|z|da|k)?sh|python3?|node)\b"
)
# A program with arguments: what is fetched is the program, its script or the line of its shell.
_PROGRAM_CALL = re.compile(
    r"\b(?:spawn(?:Sync)?|execFile(?:Sync)?|Popen|subprocess\.\w{1,14}|create_subprocess_exec|Bun\.spawn(?:Sync)?"
    r"|exec\.Command|Deno\.Command|os\.(?:exec|spawn)\w{1,3}|os\.startfile|fork|run_path|spec_from_file_location)\s{0,4}\("
    r"\s{0,40}(?:os\.P_\w{4,8},\s{0,4})?\[?\s{0,40}(?:\*?[\"'`](?:[\w/.]{0,20}(?:sh|python[\d.]{0,4}|node|bun|deno|cmd"
    r"|cmd\.exe|powershell(?:\.exe)?|pwsh|perl|ruby|run)|-\w{1,8}|/c)[\"'`]\s{0,4},\s{0,40}(?:\[\s{0,40}|args:\s{0,4}\[)?)"
    r"{0,4}(?:f?[\"'`][^\"'`\n]{0,20}\{)?(?:str\(|String\(|sys\.executable,\s{0,4})?(?P<arguments>\w{1,60})"
)
# spec_from_file_location("name", FILE), SourceFileLoader("name", FILE)
_LOADER_CALL = re.compile(
    r"\b(?:spec_from_file_location|SourceFileLoader|load_source|load_dynamic)\(\s{0,40}[\w\"'.]{1,60},\s{0,4}"
    r"(?:str\()?(?P<arguments>\w{1,60})"
)
_SHELL_CALL = re.compile(
    r"\bsubprocess\.\w{1,14}\(\s{0,40}(?P<arguments>\w{1,60}\b[^\n]{0,200}shell\s{0,2}=\s{0,2}True)"
)
_BUN_CALL = re.compile(r"\$`\s{0,4}(?:(?:ba|z|da)?sh\s{1,4}-c\s|(?=\$\{))(?P<arguments>[^`\n]{0,200})`")
_SAME_LINE = re.compile(
    r"\bfetch\([^\n]{0,200}(?:\.then\([^\n]{0,200}){1,2}(?<![\w.])(?:eval|Function)\b"
    r"|\bpickle\.loads?\([^\n]{0,60}(?:urlopen|requests\.get|httpx\.get)\("
    r"|\b(?:eval|instance_eval|load)\s{1,4}\(?\s{0,4}(?:URI\.open|Net::HTTP\.get|open|HTTParty\.get)\(?\s{0,4}[\"'(U]"
    r"|\bimport\(\s{0,40}[\"'`]https?://(?!localhost|127\.)|\b(?:importScripts|require)\(\s{0,40}[\"'`]https?://"
)
_LINE_CALL = re.compile(r"(?:child_process\.|cp\.|os\.)?(?:exec|execSync|system|popen)\s{0,4}\(")
_FIXED_TEXT = re.compile(r"\s{0,9}(?:\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'|`[^`$\n]{0,200}`)\s{0,4}[,)]")  # no name in it
_MOST_NAMES = 80  # in a program with more, two uses of one name may have nothing to do with each other
_NAME = re.compile(r"[A-Za-z_]\w{0,60}")
_FETCHING = words(
    "urlopen",
    "urlretrieve",
    "requests.",
    "httpx.",
    "fetch(",
    "axios",
    "got(",
    "http.get",
    "https.get",
    ".recv(",
    "aiohttp",
    "import(*",
    "http.request",
    "https.request",
    *(
        "client.",
        "session.",
        "pool.",
        "http.",
        "ky",
        "needle",
        "superagent",
        "ofetch",
        "undici",
        "http2",
        "http2.connect",
    ),
    *("invoke-webrequest", "invoke-restmethod", "iwr", "irm", "downloadstring", "downloaddata", "file_get_contents"),
    *("curl_exec", "uri.open", "lwp::*", "http::tiny", "net::http", "tcpsocket", "curl", "wget"),
    *(
        "websocket(",
        "eventsource(",
        "addeventlistener",
        "websocket.connect",
        "websockets.connect",
        ".on(",
        ".onmessage",
        "request(",
    ),
)
_CODE_TOKENS = frozenset(
    b"load loadstring assert create_function instance_eval class_eval shell_exec passthru scriptblock iex assembly"
    b" bash sh invoke webassembly "
    b"exec eval compile function vm _compile import pickle marshal dill cloudpickle joblib torch system popen"
    b" execsync shell runinthiscontext runinnewcontext exec_module spawn spawnsync execfile execfilesync fork"
    b" create_subprocess_shell subprocess yaml constructor command getoutput".split()
)

# curl -o FILE, wget -O FILE, curl ... > FILE, Invoke-WebRequest -OutFile FILE, curl -O .../FILE
_SAVED = re.compile(
    r"\b(?:curl|wget|aria2c|iwr|irm|Invoke-WebRequest|Start-BitsTransfer|certutil|bitsadmin"
    r"|DownloadFile)\b(?P<rest>[^\n;"
    r"|&]{0,400}(?:\\\n[^\n;|&]{0,300}){0,4})",
    re.I,
)
_TARGET = re.compile(
    r"(?:\s-(?i:OutFile|Destination)\s{1,4}|\s-\w{0,8}[oO](?![A-Za-z]{4})[ =]{0,2}|--output[ =]|--output-document[ =]"
    r"|(?<!\d)>\s{0,4}|^\([^\n,]{1,200},\s{0,4})"
    r"(?P<file>[\"']?[\w.~/$\\{}%:-]{2,120}[\"']?)",
)
# certutil -urlcache -f ADDRESS FILE, bitsadmin /transfer JOB ADDRESS FILE
_SECOND = re.compile(r"^[^\n]{0,120}?https?://[^\s\"']{3,200}[\"']?\s{1,4}(?P<file>[\"']?[\w.~/$\\{}%:-]{2,120})")
_REMOTE_NAME = re.compile(
    r"(?:\s-\w{0,8}O\w{0,4}\b|--remote-name"
    r"|^\s{0,4}(?:-q\s{1,4})?(?=[\"']?https?:)).{0,200}?/(?P<file>[\w.-]{2,80})[\"']?(?:\s|$)",
    re.S,
)
# python3 -c "...urlopen(...)" > FILE
_ONE_LINER = re.compile(
    r"\b(?:python[\d.]{0,4}|node|perl|ruby|php)\s{1,4}-\w{1,3}\s[^\n]{0,300}(?:urlopen|requests|fetch\("
    r"|https?\.get|LWP|open-uri|file_get_contents)"
    r"(?P<rest>[^\n]{0,300}>\s{0,4}[^\s;|&]{2,120})"
)
# curl ... | tar x && node FOLDER/index.js, git clone ADDRESS FOLDER && sh FOLDER/x
_UNPACKED = re.compile(
    r"\b(?:curl|wget)\b[^\n]{0,300}(?:\|\s{0,4}(?:sudo\s)?(?:tar|bsdtar|unzip|cpio)\b|(?:&&|;"
    r"|\n)\s{0,9}(?:tar\s{1,4}-?x|unzip|7z\s{1,4}x)\b)[^\n;&]{0,160}"
    r"(?:&&|;|\n)[^\n]{0,80}\b(?:node|python[\d.]{0,4}|(?:ba|z)?sh|bun)\s{1,4}(?!-)[\w./$\"{}~-]{2,80}"
)
_CLONED = re.compile(
    r"\bgit\s{1,4}clone\s{1,4}(?:-{1,2}[\w=-]{1,20}\s{1,4}(?:\d{1,3}\s{1,4})?){0,5}[\"']?(?P<rest>(?:https?://"
    r"|git@|git://)[^\s\"']{4,160})[\"']?"
    r"(?:\s{1,4}[\"']?[\w./$~{}-]{1,80}[\"']?)?[^\n]{0,20}(?:&&|;|\n)[^\n]{0,120}\b(?:(?:ba|z)?sh"
    r"|python[\d.]{0,4}|node|make)\s{1,4}[\w./$\"{}~-]{2,80}"
)
_EXTRACTED = re.compile(r"\.extractall\(\s{0,4}(?:path\s{0,2}=\s{0,2})?[\"']?(?P<folder>[\w./~-]{2,80})")
# code=$(curl ...), then echo "$code" > FILE
_IN_VARIABLE = re.compile(r"\b(?P<name>\w{1,40})=[\"']?(?:\$\(|`)\s{0,4}(?:curl|wget)\b[^\n]{0,300}")
_FINDER = re.compile(r"\bsys\.(?:meta_path|path_hooks)\.(?:append|insert|extend)\(|\bsys\.meta_path\s{0,4}(?:\[|\+?=)")
_VARIABLE = re.compile(r"\$?\{(\w{1,40})\}")
_FORGE = re.compile(r"https://(?:github|gitlab)\.com/|git@(?:github|gitlab)\.com")
_ARGUMENT = re.compile(r"\s{0,9}[({]\s{0,40}[\"']")  # of a call, which need not start it
_CHECKED = re.compile(r"\b(?:sha(?:256|512)sum|shasum|gpg\s{1,4}--verify|cosign|minisign|Get-FileHash)\b")
_AFTER = 1500
_SAVING = words(
    *("python", "python3", "node", "perl", "ruby", "php", "downloadfile"),
    "curl",
    "wget",
    "aria2c",
    "iwr",
    "irm",
    "invoke-webrequest",
    "start-bitstransfer",
    "certutil",
    "bitsadmin",
)

_WRITTEN = re.compile(
    r"(?:urlretrieve\([^\n,]{1,200},\s{0,4}|[\"']-[oO][\"'],|(?<![\w.])open\(|createWriteStream\(|writeFile(?:Sync)?\("
    r"|Bun\.write\(|Deno\.writeFile\(|wget\.download\([^\n,]{1,200},\s{0,4}"
    r"|\bos\.(?:Create|WriteFile|OpenFile)\(|\bFile::create\(|\bFile\.(?:write|open|binwrite|new)\(|\bfile_put_contents\("
    r"|\bgetstore\([^\n,]{1,200},\s{0,4}|\bio\.open\(|\bPaths?\.get\("
    r"|copyfileobj\([^\n,]{1,80},\s{0,4})\s{0,4}(?P<file>[\"'`]?[\w./~${}-]{1,120}[\"'`]?)"
    r"|(?P<path>\w{1,40})\.write_(?:bytes|text)\("
)
_STARTS = (
    r"(?:Popen|subprocess\.\w{1,14}|os\.(?:system|popen|exec\w{1,3}|startfile|spawn\w{1,3})|exec|execFile|execSync"
    r"|execFileSync|exec\.Command|Command::new|ProcessBuilder|shell_exec|passthru|proc_open|os\.execute|spawn|spawnSync|fork|Bun\.spawn|Deno\.Command|runpy\.run_path|import_module"
    r"|spec_from_file_location|require|import|system|(?:torch|joblib|dill|cloudpickle|pickle|marshal)\.load"
    r"|load_dynamic|CDLL|dlopen|WinDLL)"
)
_NO_START = r"[\"'](?:chmod|chown|rm|mv|cp|mkdir|touch|ls|cat|stat)\b"


def _find(page: Page) -> Diagnostics:
    for found in page.matches((_SAME_LINE,), _FETCHING):
        yield page.weighed_in_program(FETCHED_CODE, found.start(), f"`{excerpt(found[0])}` runs what it fetches")
    if page.role == SOURCE or (page.role == SHELL and page.name != "line.sh"):
        yield from _evaluated(page)
        yield from _saved_by_program(page)
    if page.role in (SHELL, PROMPT, SOURCE):
        yield from _saved_by_shell(page)
        yield from _stored_by_shell(page)
        yield from _unpacked(page)


def _evaluated(page: Page) -> Diagnostics:
    finder = _FINDER.search(page.text) if b"meta_path" in page.data or b"path_hooks" in page.data else None
    if finder and _FETCH.search(page.text) and page.context(finder.start()) != READ:
        message = f"`{excerpt(finder[0])}` imports what comes from the network"
        yield page.weighed_in_program(FETCHED_CODE, finder.start(), message)
    yield from _unpacked_modules(page)
    if _CODE_TOKENS.isdisjoint(page.tokens) or next(page.near(_FETCHING, 0, 1), None) is None:
        return
    flow = flow_of(page, _FETCH)
    for offset, call, bound in calls_of_code(flow):
        given = call["arguments"] or call.groupdict().get("piped") or ""
        if _FIXED_TEXT.match(given) and _LINE_CALL.match(call[0]):
            continue
        names = frozenset(_NAME.findall(given))
        if ((flow.names | bound) & names or _FETCH.search(given)) and page.context(offset + call.start()) != READ:
            message = f"`{excerpt(call[0])}` runs what came from the network"
            finding = page.weighed_in_program(FETCHED_CODE, offset + call.start(), message)
            is_usual = call[0].startswith("WebAssembly") and b"wasi" not in page.tokens
            is_sure = (len(flow.names) <= _MOST_NAMES and not is_usual) or finding.severity != ERROR
            yield finding if is_sure else finding.replace(severity=WARNING)


def _unpacked_modules(page: Page) -> Diagnostics:
    """An archive that is fetched, unpacked and put where modules are imported from."""
    unpacked = _EXTRACTED.search(page.text) if b"extractall" in page.data else None
    if unpacked and _FETCH.search(page.text, 0, unpacked.end()):
        imported = re.compile(rf"\bsys\.path\.(?:insert|append)\([^\n]{{0,60}}{re.escape(unpacked['folder'])}").search(
            page.text
        )
        if imported and page.context(imported.start()) != READ:
            message = f"`{excerpt(imported[0])}` imports what the file downloads"
            yield page.weighed_in_program(FETCHED_CODE, imported.start(), message)


def calls_of_code(flow: NetworkFlow) -> Iterator[tuple[int, re.Match[str], set[str]]]:
    """Calls that run code, where a name holds something fetched; with the names that hold it only there."""
    for each in flow.statements:
        if each.takes or not flow.names.isdisjoint(each.words):
            bound = bound_here(each.text) if each.takes else set()
            for pattern in (_CODE_CALL, _SHELL_CALL, _BUN_CALL, _PROGRAM_CALL, _LOADER_CALL, _WORD_CALL):
                yield from ((each.offset, call, bound) for call in pattern.finditer(each.text))


def _saved_by_program(page: Page) -> Diagnostics:
    """A file that is written in a program with a download, and started by it."""
    if not any(_FETCH.search(page.text, begin, end) for begin, end in page.near(_FETCHING, 5, 60)):
        return
    for found in page.matches((_WRITTEN,), _WRITING, before=20, after=300):
        spelling = (found["file"] or found["path"] or "").strip("\"'`")
        if len(spelling) < 2 or spelling in ("self", "this"):
            continue
        starts = _start_of(spelling)
        run = next((each for each in page.matches((starts,), _STARTING) if page.context(each.start()) != READ), None)
        if run:
            message = f"`{excerpt(run[0])}` starts what the file downloads"
            yield page.weighed_in_program(DOWNLOAD_RUN, run.start(), message)
            return


def _start_of(spelling: str) -> re.Pattern[str]:
    """How a program starts a file that it has under a name."""
    return re.compile(
        rf"(?:\b{_STARTS}\(|\$(?=`))\s{{0,40}}\[?\s{{0,40}}(?!{_NO_START})(?:[\"'][\w ./-]{{1,20}}[\"'],\s{{0,4}})"
        rf"{{0,2}}f?[\"'`]?(?:[\w ./&+;=-]{{1,60}}[ `])?(?:str\()?[${{]{{0,2}}{re.escape(spelling)}\b"
    )


def _saved_by_shell(page: Page) -> Diagnostics:
    for found in page.matches((_SAVED, _ONE_LINER), _SAVING, before=0):
        context = page.context(found.start())
        name = _saved_name(found)
        if context == READ or not name or name.startswith("/dev/") or name in ("-", "/dev/null"):
            continue
        after = page.text[found.end() : found.end() + _AFTER]
        variable = _VARIABLE.fullmatch(name) if page.role == SOURCE else None
        run = run_of(name).search(after) or (_start_of(variable[1]).search(after) if variable else None)
        if run and not (page.role == SOURCE and _ARGUMENT.match(run[0])):
            message = f"`{excerpt(found[0])}`, then `{excerpt(run[0].strip())}`"
            finding = page.weighed(
                DOWNLOAD_RUN, found.start(), message, hint="fetch a fixed version, check its hash, then run it"
            )
            is_checked = bool(_CHECKED.search(after, 0, run.start()))
            if is_suspicious(found["rest"]):
                finding = finding.replace(severity=ERROR)
            elif is_checked or (context != RUNS and INSTALLER.search(found["rest"])):
                finding = finding.replace(severity=NOTE if context != RUNS else WARNING)
            yield finding


def _stored_by_shell(page: Page) -> Diagnostics:
    """What a script fetches into a variable, writes into a file and starts."""
    for found in page.matches((_IN_VARIABLE,), _UNPACKING, before=60):
        name = re.escape(found["name"])
        written = re.compile(
            rf"\b(?:echo|printf|cat)\b[^\n;|]{{0,40}}\$\{{?{name}\}}?[\"']?[^\n;&]{{0,60}}?>\s{{0,4}}[\"']?(?P<file>[\w.~/$-]{{2,120}})"
        ).search(page.text, found.end(), found.end() + _AFTER)
        run = written and run_of(written["file"]).search(page.text, written.end(), written.end() + _AFTER)
        if run and page.context(found.start()) != READ:
            message = f"`{excerpt(found[0])}`, then `{excerpt(run[0].strip())}`"
            yield page.weighed(DOWNLOAD_RUN, found.start(), message)


def _saved_name(found: re.Match[str]) -> str:
    """The file into which a line saves what it fetches; empty where it saves nothing."""
    by_place = _SECOND if found[0][:4].lower() in ("cert", "bits") else _REMOTE_NAME
    target = _TARGET.search(found["rest"]) or by_place.search(found["rest"])
    return target["file"].strip("\"'") if target else ""


def saved_files(text: str) -> Iterator[tuple[int, str]]:
    """Where a script fetches something, and the file into which it goes; for files that others start."""
    for found in _SAVED.finditer(text):
        name = _saved_name(found)
        if name and name != "-" and not name.startswith("/dev/"):
            yield found.start(), name


def _unpacked(page: Page) -> Diagnostics:
    """An archive or a repository that is fetched, and a file of it that is started."""
    for found in page.matches((_UNPACKED, _CLONED), _UNPACKING, before=0):
        finding = page.weighed(DOWNLOAD_RUN, found.start(), f"`{excerpt(found[0])}` starts what it fetches")
        if found.re is _CLONED and _FORGE.search(found["rest"]):
            finding = finding.replace(severity=WARNING if finding.severity == ERROR else NOTE)
        yield finding


def run_of(name: str) -> re.Pattern[str]:
    """How a saved file is started: by name, by an interpreter, or made a program and then named again."""
    spelled = re.escape(name.removeprefix("./"))
    end = r"[\"']?(?=[\s;&|)<>`\"']|$)"
    return re.compile(
        rf"(?:^|[\n;&|]|(?<!\w)[({{]|\b(?:nohup|sudo|exec|start(?:\s\"\")?|then|do|setsid"
        rf"|Start-Process(?:\s-FilePath)?)\s)\s{{0,40}}[\"']?(?:\./)?{spelled}{end}"
        rf"|\b(?:(?:ba|z|da|k)?sh|python[\d.]{{0,4}}|node|perl|ruby|source|bun|deno run|powershell|pwsh|open"
        rf"|msiexec|installer -pkg|dpkg -i)\s{{1,4}}(?:-\w{{1,9}}\s{{1,4}}){{0,3}}[\"']?(?:\./)?{spelled}{end}"
        rf"|(?:^|[\n;&|])\s{{0,9}}\.\s{{1,4}}[\"']?(?:\./)?{spelled}{end}"
    )


_UNPACKING = words("curl", "wget", "git clone")
_WRITING = words(
    "urlretrieve",
    "open(",
    "createwritestream",
    "writefile",
    "writefilesync",
    "bun.write",
    "deno.writefile",
    "wget.download",
    "copyfileobj",
    *("'-o'", '"-o"'),
    "write_bytes",
    "write_text",
    *(
        "os.create",
        "os.writefile",
        "os.openfile",
        "file::create",
        "file.write",
        "file.open",
        "file.binwrite",
        "file.new",
    ),
    *("file_put_contents", "getstore", "io.open", "paths.get", "path.get"),
)
_STARTING = words(
    "popen*",
    "subprocess",
    "os.",
    "exec*",
    "spawn*",
    "fork",
    "runpy",
    "import_module",
    "spec_from_file_location",
    "require(",
    "import(*",
    "deno.command",
    "system",
    "$`",
    *("command", "command::new", "processbuilder", "shell_exec", "passthru", "proc_open"),
)

DETECTOR = Detector("code that is fetched and run", _find, in_plain_text=True)
