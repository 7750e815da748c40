"""Ways by which data leave a machine: requests with a body, built addresses, names to be resolved, mails, uploads."""

from __future__ import annotations

import re

from pisces.scanning.clues import clue

_HERE = r"(?!localhost|127\.|\[::1|0\.0\.0\.0|host\.docker|unix:)"

UPLOADS = (
    clue(
        "sends it by HTTP",
        r"\b\w{1,30}\.(?:post|put|patch)\(\s{0,40}(?:f?[\"'`]https?://(?!localhost|127\.)|[A-Z][A-Z_]{2,30}\b|f[\"']\{[A-Z])",
        *(".post(", ".put(", ".patch("),
    ),
    clue(
        "publishes packages",
        r"\b(?:npm|pnpm|yarn)[\s\"',\[]{1,8}publish\b|\btwine[\s\"',\[]{1,8}upload\b|\bcargo[\s\"',\[]{1,8}publish\b",
        *("publish", "twine"),
    ),
    clue("sends it in echo requests", r"\bping\b[^\n;|&]{0,60}\s-p\s{0,2}[\"']?\$", "ping"),
    clue(
        "sends it by HTTP",
        r"\b(?:requests|httpx|session|client|axios|got|http|needle|superagent)\.(?:post|put|patch)\(",
        ".post(",
        ".put(",
        ".patch(",
    ),
    clue("sends it by HTTP", r"\bmethod[\"']?\s{0,4}[:=]\s{0,4}[\"'`](?:POST|PUT|PATCH)[\"'`]", "method", flags=re.I),
    clue(
        "sends it as datagrams",
        r"\bdgram\b[^\n]{0,60}createSocket\(|\.sendto\(|\bBun\.udpSocket\(|SOCK_DGRAM",
        *("dgram", ".sendto", "udpsocket", "sock_dgram"),
    ),
    clue(
        "sends it by HTTP",
        r"\bhttp2\.connect\(|\bHTTPS?Connection\(|\bwebsockets?\.connect\(|\bnew\s{1,4}WebSocket\(",
        *(
            "http2.connect",
            "httpconnection",
            "httpsconnection",
            "websocket.connect",
            "websockets.connect",
            "websocket(",
        ),
    ),
    clue(
        "uploads it",
        r"\bput_object\(|\bupload_(?:file|fileobj|from_string|from_filename)\(|\bPutObjectCommand\(|\bstorbinary\("
        r"|\bsftp\.put\(|\bgh[\s\"',\[]{1,8}api[\s\"',\[]{1,8}[^\n]{0,80}(?:PUT|POST|-f\b)|\bcreateGist\b"
        r"|gists\.create\(",
        *(
            "put_object",
            "upload_file",
            "upload_fileobj",
            "upload_from_string",
            "upload_from_filename",
            "sftp.put",
            "gh",
        ),
        *("putobjectcommand", "storbinary", "creategist", "gists.create"),
    ),
    clue(
        "sends it by HTTP",
        r"\bfetch\((?=[^;]{0,400}?(?:method[\"']?\s{0,4}:\s{0,4}[\"'`](?:POST|PUT|PATCH)|body\s{0,4}[:,]))",
        "fetch(",
        flags=re.I,
    ),
    clue(
        "sends it by HTTP",
        r"\b(?:https?|tls)\.request\(|\bnavigator\.sendBeacon\(|XMLHttpRequest|\.request\(\s{0,40}[\"'](?:POST"
        r"|PUT)[\"']",
        "http.request",
        "https.request",
        "sendbeacon",
        "xmlhttprequest",
        ".request(",
    ),
    clue(
        "sends it by HTTP",
        r"\burlopen\([^\n]{0,200}data\s{0,2}=|\bRequest\([^\n]{0,200}data\s{0,2}="
        r"|\bRequest\(\s{0,4}f?[\"'][^\"'\n]{4,160}[\"']\s{0,4},\s{0,4}(?!headers|method|\{|None)[A-Za-z_]"
        r"|\burlopen\(\s{0,40}[^,()\n]{1,160},\s{0,4}(?!timeout|context|cafile)[\w\"'(]",
        "urlopen(",
        "request(",
    ),
    clue(
        "sends it by HTTP",
        r"\bcurl\b(?=[^\n|;]{0,400}(?:\s-(?:\w{0,6}[dFT])\b|\s-(?:\w{0,6}[dFT])(?=[@\"'$\w-])"
        r"|--data\w{0,12}\b|--data-\w{1,12}|--form\b|--upload-file|\s-X\s{0,2}(?:POST|PUT)))"
        r"(?![^\n|;]{0,300}https?://(?:localhost|127\.|\[::1|169\.254\.|metadata\.google))",
        "curl",
    ),
    # ["curl", "-s", "-d", data, address], also in several lines
    clue(
        "sends it by HTTP",
        r"[\"'](?:curl|wget)[\"'](?=[^;]{0,240}[\"'](?:-[dFT]|--data[\w-]{0,12}|--form|--upload-file|--(?:post|body)-\w{4})[\"'=])"
        r"(?![^;]{0,300}https?://(?:localhost|127\.|\[::1))",
        *("curl", "wget"),
    ),
    clue("sends it by HTTP", r"\bwget\b[^\n|;]{0,300}--(?:post-(?:data|file)|body-(?:data|file))", "wget"),
    clue(
        "sends it by HTTP",
        r"\b(?:Invoke-(?:RestMethod|WebRequest)|irm|iwr)\b[^\n]{0,200}-(?:Body|InFile|Method\s{1,4}(?:Post|Put))\b",
        "invoke-restmethod",
        "invoke-webrequest",
        "irm",
        "iwr",
        flags=re.I,
    ),
    clue(
        "sends it through a socket",
        r"\.sendall\(|\bnet\.(?:connect|createConnection)\(|\b(?:nc|ncat"
        r"|netcat)\s{1,4}(?:-\w{1,6}\s{1,4}){0,4}[\w.$-]{3,80}\s{1,4}\d{2,5}\b",
        ".sendall(",
        "net.connect",
        "net.createconnection",
        "nc",
        "ncat",
        "netcat",
    ),
    clue(
        "uploads it",
        r"\b(?:scp|rsync)\b[^\n;|]{1,200}\s[\w.-]{1,60}@?[\w.-]{0,60}:|\bgh\s{1,4}(?:gist\s{1,4}create"
        r"|repo\s{1,4}create)\b|\bgit\s{1,4}push\b[^\n;|]{0,60}https?://|\baws\s{1,4}s3\s{1,4}(?:cp|sync)\b"
        r"|\brclone\s{1,4}copy",
        "scp",
        "rsync",
        "gh",
        "git",
        "aws",
        "rclone",
    ),
    clue(
        "uploads it",
        r"\bgit\s{1,4}(?:-\w\s\S{1,60}\s{1,4})?remote\s{1,4}(?:add|set-url)\s{1,4}\S{1,40}\s{1,4}[\"']?(?:https?:|ssh:|git:|git@)",
        "git",
    ),
    clue(
        "sends it by HTTP",
        r"\bhttp\.(?:Post|PostForm)\(|\bhttp\.NewRequest\w{0,12}\([^\n]{0,40}\"(?:POST|PUT)|Net::HTTP(?:\.post|::Post|::Put)"
        r"|\bcurl_setopt\(|\bstream_context_create\(|LWP::UserAgent|HTTP::Tiny|\breqwest::|\bHTTParty\.(?:post|put)|Faraday\.(?:post|put)",
        *("http.post", "http.postform", "http.newrequest", "http.newrequestwithcontext", "net::http", "curl_setopt"),
        *("stream_context_create", "lwp::useragent", "http::tiny", "reqwest", "httparty", "faraday"),
    ),
    clue(
        "sends it by HTTP",
        r"(?:^|[;&|(`]|\s)(?:https?|xh)\s{1,4}(?:--?[\w=-]{1,20}\s{1,4}){0,4}(?:POST|PUT|PATCH)\s{1,4}[\w./:$\"-]{3,120}"
        r"|\bUpload(?:String|File|Data|Values)(?:Async|TaskAsync)?\(|\bcertreq\b[^\n]{0,40}-Post\b"
        r"|\b(?:HTTP|http|https)\.request\s{0,2}[({]|\bPostAsync\(|\b(?:setR|r)equestMethod\s{0,2}[=(]\s{0,2}\"(?:POST|PUT)",
        *(
            "http",
            "https",
            "xh",
            "uploadstring*",
            "uploadfile*",
            "uploaddata*",
            "certreq",
            "postasync",
            "requestmethod",
            "setrequestmethod",
        ),
    ),
    clue(
        "uploads it",
        r"\bgsutil\s[^\n;|]{0,40}\b(?:cp|rsync|mv)\b|\bgcloud\s{1,4}storage\s{1,4}cp\b|\baz\s{1,4}storage\s{1,4}blob\s{1,4}upload"
        r"|\bs3cmd\s{1,4}put\b|\bmc\s{1,4}cp\s|\brclone\s{1,4}(?:move|sync|rcat)|\b(?:croc|wormhole)\s{1,4}send\b|\blftp\b[^\n]{0,80}\bput\b"
        r"|\bgh\s{1,4}(?:issue|pr|release)\s{1,4}(?:create|comment|upload)\b[^\n;|]{0,160}(?:--body-file|-F\s|\$\()|\bswaks\b|\bmutt\b[^\n]{0,80}\s-a\s"
        r"|(?:^|[;&|\n]\s{0,9})ftp\s[^\n]{2,80}(?:\n[^\n]{0,80}){0,4}?\bput\b|\|\s{0,4}ssh\s{1,4}(?:-\S{1,40}\s{1,4}){0,4}[\w.$@{}-]{3,80}\s",
        *(
            "gsutil",
            "gcloud",
            "az",
            "s3cmd",
            "mc",
            "rclone",
            "croc",
            "wormhole",
            "lftp",
            "ftp",
            "gh",
            "swaks",
            "mutt",
            "ssh",
        ),
    ),
    clue(
        "sends it through a socket",
        r">\s{0,4}[\"']?/dev/(?:tcp|udp)/|\bsocat\b[^\n;|]{0,60}\b(?:TCP|UDP|OPENSSL)\d?:|\bopenssl\s{1,4}s_client\b[^\n;|]{0,80}-connect"
        r"|\bnet\.Dial\(|\bTCPSocket\.(?:new|open)\(|\bfsockopen\(|IO::Socket::INET|\bTcpClient\(",
        *(
            "/dev/tcp/",
            "/dev/udp/",
            "socat",
            "s_client",
            "net.dial",
            "tcpsocket",
            "fsockopen",
            "io::socket",
            "tcpclient",
        ),
        flags=re.I,
    ),
    clue("publishes it", r"api\.github\.com/(?:user/repos|gists)\b", "api.github.com"),
    clue(
        "sends it by mail",
        r"\bsmtplib\.SMTP|\bnodemailer\b|\bsendmail\b|\bmailx?\s{1,4}-s\b|\bSend-MailMessage\b",
        "smtplib",
        "nodemailer",
        "sendmail",
        "mail -s",
        "mailx -s",
        "send-mailmessage",
        flags=re.I,
    ),
)
# A token in a header of a request: only where it does not go to whom it belongs.
HEADERS = (
    clue(
        "puts it into a header",
        r"\b(?:curl|wget)\b[^\n|;]{0,300}(?:-H|--header)[\s=]{0,2}[\"'][^\n\"']{1,60}(?:\$\(|\$\{?\w|`)",
        *("curl", "wget"),
    ),
)
BUILT_ADDRESSES = (
    clue(
        "puts it into an address",
        r"\b(?:requests|httpx|axios|client|session)\.get\([^\n]{0,200}params\s{0,2}[=:]",
        ".get(",
    ),
    clue(
        "puts it into an address",
        rf"\b(?:requests|httpx|axios|got"
        rf"|https?)\.get\(\s{{0,40}}(?:f[\"']https?://{_HERE}[^\n\"']{{0,200}}\{{|[\"']https?://{_HERE}[^\n\"']{{1,200}}[\"']\s{{0,4}}(?:\+|%|\.format))",
        ".get(",
    ),
    clue(
        "puts it into an address",
        rf"\b(?:fetch|urlopen)\(\s{{0,40}}(?:f?[\"'`]https?://{_HERE}[^\n\"'`]{{0,200}}(?:\$\{{|\{{)"
        rf"|[\"'`]https?://{_HERE}[^\n\"'`]{{1,200}}[\"'`]\s{{0,4}}(?:\+|%|\.format))",
        "fetch(",
        "urlopen(",
    ),
    clue(
        "puts it into an address",
        rf"\b(?:curl|wget)\b[^\n|;]{{0,200}}https?://{_HERE}[^\s\"'|;]{{1,200}}(?:\$\(|`|\{{\}}|[=/]\$\{{?\w)",
        "curl",
        "wget",
    ),
    clue(
        "puts it into an address", rf"\bxargs\b[^\n]{{0,60}}\b(?:curl|wget)\b[^\n|;]{{0,100}}https?://{_HERE}", "xargs"
    ),
)
NAME_QUERIES = (
    clue(
        "asks for it as a host name",
        r"\b(?:dig|nslookup|host(?![ \t]{0,4}(?:[=:?,)]|in\b|is\b|&&|\|\|))|drill|resolvectl\s{1,4}query|ping"
        r"|getent\s{1,4}hosts)\b(?:[ \t]{1,4}[+-][\w=.-]{1,20}){0,5}[ \t]{1,4}[^\n;&|]{0,60}(?:\$\(|`|\$\{?\w{1,40}\}?"
        r"|%s|\{\})[^\n;&]{0,200}?\.[a-z][\w-]{0,40}",
        *("dig", "nslookup", "host", "drill", "resolvectl", "ping", "getent"),
    ),
    clue(
        "asks for it as a host name",
        r"\bdns(?:\.promises)?\.(?:resolve\w{0,6}|lookup)\(\s{0,40}(?:`[^`\n]{0,120}\$\{|\w[\w.()\[\],"
        r" ]{0,60}\s{0,4}\+)",
        "dns.",
        flags=re.I,
    ),
    clue(
        "asks for it as a host name",
        r"\b(?:gethostbyname|getaddrinfo|resolver\.(?:resolve|query)"
        r"|gethostbyname_ex)\(\s{0,40}(?:f[\"'][^\"'\n]{0,120}\{|\w[\w.()\[\]: ]{0,60}\s{0,4}\+"
        r"|[\"']{1,2}[^\n]{0,40}\.join|[\"'][^\"'\n]{0,80}(?:%s|\{)[^\"'\n]{0,80}[\"']\s{0,4}(?:%|\.format\())",
        "gethostbyname",
        "getaddrinfo",
        "resolver.",
        "gethostbyname_ex",
    ),
    clue("asks for it as a host name", r"\bResolve-DnsName\b[^\n]{0,60}\$", "resolve-dnsname", flags=re.I),
)
DROPS = (
    clue(
        "sends it to an address that anybody can open",
        r"webhook\.site|requestbin|pipedream\.net|oast\.(?:fun|pro|live|site|me)|interact\.sh|burpcollaborator"
        r"|ngrok|trycloudflare"
        r"|discord(?:app)?\.com/api/webhooks/|api\.telegram\.org/bot|hooks\.slack\.com/services/T"
        r"|pastebin\.com/api|transfer\.sh|file\.io|0x0\.st"
        r"|(?:https?|tcp)://(?!127\.|0\.0\.0\.0|192\.168\.|169\.254\.)\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b",
        *(
            "webhook.site",
            "requestbin",
            "pipedream.net",
            "oast.",
            "interact.sh",
            "burpcollaborator",
            "ngrok",
            "trycloudflare",
        ),
        *(
            "/api/webhooks/",
            "api.telegram",
            "hooks.slack",
            "pastebin.com",
            "transfer.sh",
            "file.io",
            "0x0.st",
            "http://",
            "https://",
            "tcp://",
        ),
        flags=re.I,
    ),
)
