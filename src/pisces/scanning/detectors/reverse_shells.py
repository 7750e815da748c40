"""Shells that a far machine steers: a connection whose input goes to a shell, and whose output comes from it."""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, WARNING, Diagnostics, Rule
from pisces.scanning.clues import clue, first, seen
from pisces.scanning.detector import Detector
from pisces.scanning.page import Page, excerpt
from pisces.scanning.roles import SHELL, SOURCE

REVERSE_SHELL = Rule("scan-reverse-shell", ERROR, "A far machine gets a shell on this one")

_SH = r"(?:(?:/usr)?/bin/)?(?:ba|z|da|k|a)?sh\b"
_ONE_LINE = (
    clue("connects a shell to /dev/tcp", rf"{_SH}[^\n]{{0,80}}/dev/(?:tcp|udp)/", "/dev/tcp/", "/dev/udp/", before=110),
    clue(
        "connects a shell to /dev/tcp",
        rf"/dev/(?:tcp|udp)/[^\n]{{0,120}}(?:\n[^\n]{{0,200}}){{0,2}}?"
        rf"(?:{_SH}|\beval|\bwhile\s{{1,4}}read[^\n]{{0,60}}\$\w)[^\n]{{0,40}}[<>]&",
        "/dev/tcp/",
        "/dev/udp/",
    ),
    clue(
        "runs what comes from /dev/tcp",
        r"/dev/(?:tcp|udp)/[^\n]{0,120}(?:\n[^\n]{0,200}){0,2}?while\s{1,4}read[^\n]{0,40}(?:do\s{1,4}\$\w|eval)",
        "/dev/tcp/",
    ),
    clue(
        "lets netcat start a shell",
        rf"\b(?:nc|ncat|netcat)\b[^\n;|]{{0,120}}\s(?:-\w{{0,6}}[ec]|--(?:sh-)?exec)\s{{0,4}}['\"]?(?:{_SH}|cmd"
        rf"|powershell)",
        *("nc", "ncat", "netcat"),
    ),
    clue(
        "joins a shell and a connection by a pipe",
        r"\bmkfifo\b[^\n]{0,200}(?:\n[^\n]{0,200}){0,3}?\b(?:nc|ncat|netcat|telnet|openssl\s{1,4}s_client)\b",
        "mkfifo",
    ),
    clue(
        "joins a shell and a connection by a pipe",
        rf"{_SH}\s-i\b[^\n]{{0,120}}\|[^\n]{{0,20}}\b(?:nc|ncat|netcat|telnet|openssl\s{{1,4}}s_client)\b",
        *("nc", "ncat", "netcat", "telnet", "s_client"),
        before=180,
    ),
    clue(
        "lets telnet feed a shell",
        rf"\btelnet\b[^\n|]{{0,120}}\|\s{{0,4}}{_SH}[^\n|]{{0,40}}\|\s{{0,4}}telnet\b",
        "telnet",
    ),
    clue(
        "lets socat start a shell",
        r"\bsocat\b[^\n]{0,200}\b(?:exec|system):[^\n]{0,60}(?:sh|cmd|powershell)\b",
        "socat",
        flags=re.I,
    ),
    clue(
        "opens a way back to this machine",
        r"\bssh\b[^\n;|]{0,160}\s-\w{0,6}R\s{0,2}[\"']?(?:[\w.*]{0,60}:)?\d{1,5}:[\w.-]{1,60}:\d{1,5}"
        r"|\bngrok[\s\"',\[]{1,8}tcp[\s\"',]{1,6}22\b|\bchisel\b[^\n;|]{0,120}\sR:",
        *("ssh", "ngrok", "chisel"),
    ),
    clue(
        "gives a shell to whoever connects",
        rf"\bcreateServer\((?:[^\n]{{0,200}}\n){{0,5}}?[^\n]{{0,200}}\bspawn\(\s{{0,4}}[\"'](?:{_SH}|cmd|powershell)[^\n]{{0,80}}(?:[^\n]{{0,200}}\n){{0,5}}?[^\n]{{0,80}}\.pipe\(",
        "createserver",
    ),
    clue(
        "runs what a request says",
        r"\b(?:check_output|run|Popen|call|system|popen|exec|execSync|shell_exec|getoutput)\(\s{0,4}(?:f?[\"'`]\W{0,3})?"
        r"(?:request\.(?:args|form|json|values|query|data)|req\.(?:query|body|params|url)|ctx\.(?:query|request)|\$_(?:GET|POST|REQUEST|COOKIE)"
        r"|(?:q|qs|query|params|args|form)(?:\.get\(|\[)[\"'](?:c|cmd|command|exec|run|x|q|code)[\"'])",
        *(
            "request.",
            "req.",
            "ctx.",
            "$_get",
            "$_post",
            "$_request",
            "$_cookie",
            "q[",
            "qs[",
            "query[",
            "params[",
            "query.get",
        ),
        before=80,
    ),
    clue("lets awk steer a shell", r"/inet/(?:tcp|udp)/0/[^\n]{0,200}getline", "/inet/tcp", "/inet/udp"),
)
_CONNECTS = (
    clue("connects", r":connect\(\s{0,4}[\"'\w]|\bsocket\.tcp\(|\.tcp\(\)", ":connect", "socket.tcp", ".tcp("),
    clue("connects", r"\bopen_connection\(|(?<![\w.])createConnection\(", "open_connection", "createconnection"),
    clue(
        "connects",
        r"\bsocket\.(?:socket|create_connection)\(|\bsocket\(\s{0,40}(?:AF_INET|S,)",
        "socket.socket",
        "socket.create_connection",
        "af_inet",
        "socket(s",
    ),
    clue(
        "connects",
        r"\bnet\.(?:connect|createConnection|Socket)\(|\btls\.connect\(",
        "net.connect",
        "net.createconnection",
        "net.socket",
        "tls.connect",
    ),
    clue("connects", r"require\([\"'](?:node:)?net[\"']\)[^\n]{0,40}(?:connect|createConnection|Socket)\(", "require("),
    clue("connects", r"\b(?:Bun|Deno)\.connect(?:Tls)?\(", "bun.connect", "deno.connect", "deno.connecttls"),
    clue("connects", r"\bnew\s{1,4}(?:[\w.]{1,20}\.)?Socket\(|\b(?:tls|net)\.createConnection\(", "socket("),
    clue("connects", r"\bnew\s{1,4}(?:[\w.]{1,40}\.)?TcpClient\(|:gen_tcp\.connect\(", "tcpclient", "gen_tcp"),
    clue(
        "connects",
        r"require\s{0,2}\(?\s{0,2}[\"']socket[\"']\)?[^\n]{0,20}\.(?:tcp|connect)\(|\bsocketConnection\(",
        *("socket", "socketconnection"),
    ),
    clue("connects", r"\bhttp2\.connect\(|\bnew\s{1,4}EventSource\(", "http2.connect", "eventsource("),
    clue("connects", r"\b(?:sio|io|socketio|mqtt|client)\.connect\(|\bparamiko\b", "connect(", "paramiko"),
    clue(
        "connects",
        r"\bnew\s{1,4}WebSocket\(|websockets?\.connect\(",
        "websocket(",
        "websocket.connect",
        "websockets.connect",
    ),
    clue("connects", r"\bfsockopen\(|\bstream_socket_client\(", "fsockopen", "stream_socket_client"),
    clue(
        "connects",
        r"\bopenssl\s{1,4}s_client\b|(?<![\w.-])(?:nc|ncat|netcat|telnet|socat)\s{1,4}[\w$-]",
        *("s_client", "nc", "ncat", "netcat", "telnet", "socat"),
    ),
    clue("connects", r"\bTCPSocket\.(?:new|open)\b|\bIO::Socket::INET\b", "tcpsocket", "io::socket"),
    clue("connects", r"Net\.Sockets\.TCPClient", "tcpclient", flags=re.I),
    clue("connects", r"\bnet\.Dial\(|TcpStream::connect\(", "net.dial", "tcpstream::connect"),
)
_GIVES_SHELL = (
    clue(
        "runs what it hears",
        r"\bOpen3\.\w{4,12}[( ]\s{0,4}\w|\bIO\.popen[( ]\s{0,4}\w|`#\{\w|\bshell_exec\(\s{0,4}\$"
        r"|\bpassthru\(\s{0,4}\$|\bqx[{(/]"
        r"|\bsystem\b\s{0,2}\(?\s{0,4}\$\w|`\$\w{1,20}`|\bshlex\.split\(\s{0,4}\w",
        *("open3", "popen", "`#{", "`$", "shlex.split", "shell_exec", "passthru", "qx", "system"),
    ),
    clue(
        "runs what it hears",
        r"(?:\b(?:ba|z|da|k)?sh\s{1,4}-\w{0,3}c|\beval)\s{1,4}[\"']?\$\{?\w",
        *("bash", "sh", "zsh", "dash", "eval"),
    ),
    clue("runs what it hears", r"\bcreate_subprocess_shell\(\s{0,40}\w", "create_subprocess_shell"),
    clue(
        "runs what it hears",
        r"\b(?:exec|execSync|os\.system|os\.popen|subprocess\.getoutput)\(\s{0,40}(?:String\("
        r"|str\()?\w{1,30}(?:\.toString\(\)|\.decode\(\))?\)?\s{0,4}[,)]",
        *("exec(", "execsync(", "os.system", "os.popen", "getoutput"),
    ),
    clue("gives it a shell", r"\bdup2\(", "dup2"),
    clue(
        "starts a shell",
        rf"\bProcessBuilder\([^\n)]{{0,40}}[\"'](?:{_SH}|cmd|powershell)|getRuntime\(\)\.exec\(|\bCommand::new\(\s{{0,4}}\""
        rf"(?:{_SH}|cmd|powershell)|\bFileName\s{{0,4}}=\s{{0,4}}\"(?:{_SH}|cmd|powershell)|\bexecv?[lpe]{{0,2}}\(\s{{0,4}}\"{_SH}",
        *("processbuilder", "getruntime", "command::new", "filename", "execve", "execl", "execlp", "execv"),
        flags=re.I,
    ),
    clue(
        "runs what it hears",
        r"\bio\.popen\(\s{0,4}[A-Za-z_]\w{0,30}\s{0,4}[,)]|\bos\.execute\(\s{0,4}\w",
        "io.popen",
        "os.execute",
    ),
    clue("runs what it hears", r"\$`\s{0,9}(?:\w{0,5}sh\s{1,4}-\w{0,3}c\s{1,4})?\$\{", "$`"),
    clue(
        "starts the user's shell",
        r"\b(?:spawn|exec|execFile|Popen|run|call|Command|Bun\.spawn)(?:Sync)?\(\s{0,40}\[?\s{0,40}"
        r"(?:process\.env\.(?:SHELL|ComSpec)|os\.environ(?:\.get)?[(\[][\"'](?:SHELL|COMSPEC)|os\.getenv\([\"']SHELL"
        r"|Deno\.env\.get\([\"']SHELL"
        r"|[\w.]{1,40}\s{0,4}===?\s{0,4}[\"']win32[\"']\s{0,4}\?\s{0,4}[\"'](?:cmd|powershell))",
        *("shell", "comspec", "win32"),
        flags=re.I,
        before=120,
    ),
    clue("gives it a shell", r"\bpty\.spawn\(", "pty.spawn"),
    clue(
        "starts a shell",
        rf"\b(?:spawn|exec|execFile|fork|Command|system|popen|Popen|proc_open|shell_exec|call|run"
        rf"|check_output|create_subprocess_(?:exec|shell))(?:Sync)?\b\s{{0,4}}"
        rf"[(\[\s]{{0,4}}\[?\s{{0,4}}[\"'](?:{_SH}|cmd(?:\.exe)?|powershell(?:\.exe)?)[\"' ]",
        *(
            "spawn",
            "spawnsync",
            "exec",
            "execfile",
            "command",
            "system",
            "popen",
            "proc_open",
            "shell_exec",
            "call",
            "run",
            "check_output",
            "create_subprocess_exec",
            "create_subprocess_shell",
            "execsync",
        ),
    ),
    clue("runs what it hears", r"\biex\b|Invoke-Expression", "iex", "invoke-expression", flags=re.I),
    clue(
        "runs what it hears",
        r"\b(?:subprocess\.\w{1,14}|os\.popen|os\.system|exec|execSync)\(\s{0,40}(?:cmd|command|line|data|msg"
        r"|message|text|buf\w{0,6})\b",
        *("subprocess", "os.popen", "os.system", "exec(", "execsync("),
    ),
)
_TALKS = (
    clue("talks", r"\bstdin\s{0,2}=\s{0,2}(?!subprocess|None|sys|PIPE|DEVNULL)\w", "stdin"),
    clue(
        "talks",
        r"\.Std(?:in|out|err)\b[^\n]{0,60}=\s{0,4}(?!os\.|&|strings|bytes|nil)\w|:receive\(|\bgetInputStream\(|\btransferTo\("
        r"|from_raw_fd\(|\breadLines\(",
        *("stdin", "stdout", "stderr", ":receive", "getinputstream", "transferto", "from_raw_fd", "readlines"),
        before=60,
    ),
    clue("talks", r"\b[012]\s{0,4}=>\s{0,4}\$\w", "0=>", "0 =>", "1=>", "1 =>"),
    clue("talks", r"\.gets\b|\bfgets\(|<\$\w{1,20}>", ".gets", "fgets", "<$"),
    clue("talks", r"\bread\b[^\n]{0,40}<&", "read", before=60),
    clue("talks", r"addEventListener\(\s{0,4}[\"'](?:data|message)", "addeventlistener"),
    clue("talks", r"\.readline\(|\.readuntil\(|\.read\(", ".readline", ".readuntil", ".read("),
    clue("talks", r"\.fileno\(|\.makefile\(", ".fileno", ".makefile"),
    clue("talks", r"dup2\(|pty\.spawn|<&\d|<&%d|>&S\b", "dup2", "pty.spawn", "<&*", ">&*"),
    clue(
        "talks",
        r"\.pipe\(|\.recv\(|\.on\(\s{0,40}[\"'](?:data|message)|\.onmessage\b|\bdata\(\w{1,20}|\.read\("
        r"|\.GetStream\(|STDIN",
        ".pipe(",
        ".recv(",
        ".on(",
        "onmessage",
        "data(",
        ".read(",
        "getstream",
        "stdin",
    ),
)
_PORT_TEST = clue(
    "opens a connection of the shell",
    r"/dev/(?:tcp|udp)/(?!localhost|127\.|\$|\{|::1|0\.0\.0\.0)[\w.-]{1,80}/\d",
    "/dev/tcp/",
    "/dev/udp/",
)


def _find(page: Page) -> Diagnostics:
    lines = set()
    for each, found in seen(page, _ONE_LINE):
        lines.add(page.place(found.start())[0])
        yield page.weighed_in_program(REVERSE_SHELL, found.start(), f"`{excerpt(found[0])}` {each.what}")
    for each, found in seen(page, (_PORT_TEST,)):
        if page.place(found.start())[0] not in lines:
            finding = page.weighed(REVERSE_SHELL, found.start(), f"`{excerpt(found[0])}` {each.what}")
            yield finding.replace(severity=WARNING) if finding.severity == ERROR else finding
    if page.role in (SHELL, SOURCE):
        yield from _in_program(page)


def _in_program(page: Page) -> Diagnostics:
    connects = first(page, _CONNECTS)
    shell = connects and first(page, _GIVES_SHELL)
    if connects and shell and first(page, _TALKS):
        message = f"the file connects (`{excerpt(connects[1][0])}`) and {shell[0].what} (`{excerpt(shell[1][0])}`)"
        yield page.weighed_in_program(REVERSE_SHELL, shell[1].start(), message)


DETECTOR = Detector("shells for a far machine", _find, in_plain_text=True)
