"""Where secrets are read from: files of keys, commands that print tokens, the environment as a whole."""

from __future__ import annotations

import re

from pisces.scanning.clues import clue
from pisces.scanning.known_files import all_scanning, harness_folders

_CREDENTIALS = tuple(path for each in all_scanning() for path in each.credentials)
_HISTORIES = tuple(f"{folder}/{name}" for folder in harness_folders() for name in ("projects", "sessions", "history"))

KEY_FILES = (
    clue("SSH keys", r"\.ssh(?:/(?:id_\w{1,12}(?!\.pub)|\*|identity)|/?[\s\"']|/?$)", ".ssh"),
    clue(
        "cloud credentials",
        r"\.aws(?:/(?:credentials|config|sso)|/?[\s\"'])|application_default_credentials|\.config/gcloud"
        r"|\.azure/\w|\.kube/config"
        r"|\.oci/config|\.docker/config\.json|\.terraform\.d/credentials|\.boto\b",
        *(".aws", "application_default_credentials", ".config/gcloud", ".azure/", ".kube/config", ".oci/config"),
        *(".docker/config", ".terraform.d", ".boto"),
    ),
    clue(
        "tokens of registries and of git",
        r"\.npmrc\b|\.pypirc\b|\.netrc\b|\.git-credentials\b|\.config/gh(?:/hosts)?\b|\.cargo/credentials"
        r"|\.gem/credentials|\.yarnrc\.yml",
        *(
            ".npmrc",
            ".pypirc",
            ".netrc",
            ".git-credentials",
            ".config/gh",
            ".cargo/credentials",
            ".gem/credentials",
            ".yarnrc",
        ),
    ),
    clue(
        "passwords of browsers and keychains",
        r"cookies\.sqlite|moz_cookies|state\.vscdb|Login Data\b"
        r"|\bCookies[\"']|logins\.json|key4\.db|Local State[\"']|login\.keychain|Library/Keychains"
        r"|\.gnupg\b|\.password-store"
        r"|\b(?:1Password|Bitwarden)(?:/|\\|\.(?:sqlite|json|opvault))",
        *(
            "cookies.sqlite",
            "state.vscdb",
            "moz_cookies",
            "login data",
            "cookies",
            "logins.json",
            "key4.db",
            "local state",
            "login.keychain",
            "library/keychains",
            ".gnupg",
        ),
        *(".password-store", "1password", "bitwarden"),
    ),
    clue(
        "wallets",
        r"wallet\.dat\b|\.config/solana|\.electrum\b|(?:/|[\"'])Exodus\b|\.ethereum/keystore|\.bitcoin\b"
        r"|\bMetaMask\b|nkbihfbeogaeaoehlefnkodbefgpgknn"
        r"|\bkeystore/|\.sui/|\.near-credentials|Ledger Live|\bphantom\b[^\n]{0,40}\bextension",
        *(
            "wallet.dat",
            ".config/solana",
            ".electrum",
            "exodus",
            ".ethereum",
            ".bitcoin",
            "metamask",
            "nkbihfbeogaeaoehlefnkodbefgpgknn",
        ),
        *("keystore", ".sui", ".near-credentials", "ledger live", "phantom"),
        flags=re.I,
    ),
    clue(
        "all files of the user",
        r"\b(?:os\.walk|readdirSync|walk)\(\s{0,4}(?:str\()?(?:os\.path\.expanduser\([\"']~/?[\"']\)|Path\.home\(\)|(?:os\.)?homedir\(\))\)?\s{0,4}[,)]"
        r"|\bPath\.home\(\)\.(?:rglob|glob)\(\s{0,4}[\"']\*",
        *("os.walk", "readdirsync", "walk(", "path.home"),
    ),
    clue(
        "files of settings with secrets",
        r"(?:\br?glob\w{0,6}\(|\bfind\b[^\n]{0,60}-name|\bwalk\w{0,4}\()[^\n]{0,40}[\"'/*]\.env\b",
        ".env",
        before=120,
    ),
    clue(
        "the environment of other processes",
        r"/proc/(?:self|\*|\d{1,7}|\$\w{1,20}|\[0-9\]\*?|[\"'{+ ]{1,6}\w{0,12})[^\s]{0,12}/environ\b",
        "/environ",
        before=50,
    ),
    clue(
        "system accounts",
        r"/(?:var/)?run/secrets/\w|/etc/(?:shadow|master\.passwd|sudoers)\b",
        "/run/secrets/",
        "/etc/shadow",
        "/etc/master.passwd",
        "/etc/sudoers",
    ),
    clue(
        "files of keys",
        r"(?<![\w.])\*{1,2}(?:/\*)?\.(?:\{[\w,]{0,40}\b)?(?:pem|kdbx|p12|pfx|ppk|ovpn|wallet|jks)\b",
        *("pem", "kdbx", "p12", "pfx", "ppk", "ovpn", "wallet", "jks"),
    ),
    clue(
        "the user's documents",
        r"\b(?:zip|tar|7z|cp|rsync|rclone|scp|curl|gsutil)\b[^\n;|]{0,80}(?:~|\$\{?HOME\}?)/(?:Documents|Desktop|Pictures)\b",
        *("documents", "desktop", "pictures"),
        before=100,
    ),
    clue("shell histories", r"\.(?:bash|zsh|python|psql|mysql)_history\b|ConsoleHost_history", "_history"),
    clue(
        "credentials and histories of agents",
        "|".join(re.escape(path) for path in (*_CREDENTIALS, *_HISTORIES)),
        *(path.lower() for path in (*_CREDENTIALS, *_HISTORIES)),
    ),
)
TOKEN_COMMANDS = (
    clue("a GitHub token", r"\bgh[\s\"',\[]{1,8}auth[\s\"',\[]{1,8}token\b", "gh"),
    clue(
        "a cloud token",
        r"\bgcloud[\s\"',\[]{1,8}auth[\s\"',\[]{1,8}(?:application-default[\s\"',\[]{1,8})?print-\w{1,9}-token"
        r"|\baws[\s\"',\[]{1,8}configure[\s\"',\[]{1,8}(?:get|export-credentials)"
        r"|\baz[\s\"',\[]{1,8}account[\s\"',\[]{1,8}get-access-token",
        "gcloud",
        "aws",
        "az",
    ),
    clue(
        "a keychain password",
        r"\bsecurity[\s\"',\[]{1,8}(?:find-(?:generic|internet)-password|dump-keychain)"
        r"|\bsecret-tool[\s\"',\[]{1,8}(?:lookup|search)|\bop[\s\"',\[]{1,8}(?:read|(?:item|document)[\s\"',]{1,8}(?:get|list))\b"
        r"|\bbw[\s\"',\[]{1,8}(?:get|list|export)\b|\blpass[\s\"',\[]{1,8}(?:show|export)\b|\bkeyring[\s\"',\[]{1,8}get\b"
        r"|\bpass[\s\"',\[]{1,8}show\b",
        *("security", "secret-tool", "op", "bw", "lpass", "keyring", "pass show"),
    ),
    clue(
        "a vault",
        r"\bvault[\s\"',\[]{1,8}(?:kv[\s\"',]{1,8}get|read)\b|\bsecretsmanager[\s\"',]{1,8}get-secret-value"
        r"|\bssm[\s\"',]{1,8}get-parameters?[\w-]{0,8}\b[^\n]{0,80}with-decryption|\bsecrets[\s\"',]{1,8}versions[\s\"',]{1,8}access\b"
        r"|\bkeyvault[\s\"',]{1,8}secret[\s\"',]{1,8}(?:show|list)|\bdoppler[\s\"',]{1,8}secrets[\s\"',]{1,8}download",
        *("vault", "secretsmanager", "get-parameter", "get-parameters*", "secrets versions", "keyvault", "doppler"),
        before=60,
    ),
    clue("an npm token", r"\bnpm[\s\"',\[]{1,8}(?:config[\s\"',\[]{1,8}get|token)[\s\"',\[]{1,8}[^\n]{0,60}", "npm"),
    clue(
        "the credentials of the machine",
        r"(?:iam/)?security-credentials|service-accounts/[\w-]{1,40}/token|metadata/identity/oauth2/token"
        r"|AWS_CONTAINER_CREDENTIALS",
        *("security-credentials", "service-accounts", "identity/oauth2", "aws_container_credentials*"),
    ),
    clue(
        "a password that a dialog asks for",
        r"\bdisplay\s{1,4}dialog\b[^\n]{0,300}\bhidden\s{1,4}answer|PromptForCredential|\bGet-Credential\b"
        r"|\b(?:zenity|kdialog|yad)[\s\"',\[]{1,8}--password",
        *("display dialog", "promptforcredential", "get-credential", "zenity", "kdialog", "yad"),
        flags=re.I,
    ),
    clue("all secrets of a repository", r"\btoJSON\(\s{0,4}secrets\s{0,4}\)", "tojson"),
    clue("git credentials", r"\bgit[\s\"',\[]{1,8}credential(?:-\w{1,12})?[\s\"',\[]{1,8}fill\b", "git"),
    clue(
        "a cluster's credentials",
        r"\bkubectl[\s\"',\[]{1,8}(?:config[\s\"',\[]{1,8}view[^\n]{0,40}--raw"
        r"|get[\s\"',\[]{1,8}secrets?[\s\"',]{1,8}(?=[^\n|;]{0,80}(?:-A\b|--all-namespaces))[^\n|;]{0,80})",
        "kubectl",
    ),
    clue("secrets by a scanner", r"\btrufflehog\b[^\n]{0,40}\bfilesystem\b", "trufflehog"),
)
WHOLE_ENVIRONMENT = (
    clue(
        "credentials as a whole",
        r"(?:JSON\.stringify|json\.dumps)\([^\n]{0,60}\b(?:req|request)\.headers\b"
        r"|JSON\.stringify\(\s{0,4}\{?\s{0,4}[\w, :]{0,40}\b"
        r"(?:credentials|creds|mnemonic|privateKey|seedPhrase|secrets)\b"
        r"|\bget_frozen_credentials\(\)",
        *("json.stringify", "json.dumps", "get_frozen_credentials"),
    ),
    clue(
        "the whole environment",
        r"\bos\.environ\b(?!\s{0,2}[\[.]|\s{0,2},?\s{0,2}\*\*)|\bos\.environ\.(?:items|copy|values)\(\)"
        r"|\bdict\(os\.environ\)",
        "os.environ",
    ),
    clue(
        "the whole environment",
        r"\bos\.Environ\(\)|\bENV\.(?:to_h|to_a|map|each|select|filter|inspect|reject)\b|\bgetenv\(\s{0,2}\)|\$_ENV\b(?!\s{0,2}\[)"
        r"|(?<![\w{])\\?%ENV\b|\benv::vars\(|\bSystem\.getenv\(\s{0,2}\)|\bGetEnvironmentVariables\(|\bObject\.keys\(\s{0,4}process\.env\s{0,4}\)"
        r"|\bfor\s{0,4}\(\s{0,4}(?:const|let|var)\s{1,4}[\w\[\], ]{1,40}\s(?:in"
        r"|of)\s{1,4}(?:Object\.\w{4,8}\()?process\.env\b(?!\.)",
        *(
            "os.environ",
            "env.to_h",
            "env.to_a",
            "env.map",
            "env.each",
            "env.select",
            "env.filter",
            "env.inspect",
            "getenv",
        ),
        *("$_env", "%env", "system.getenv", "env::vars", "getenvironmentvariables", "process.env"),
        before=80,
    ),
    clue(
        "the whole environment",
        r"\b(?:Get-ChildItem|gci|dir|ls)\s{1,4}(?:-Path\s{1,4})?env:",
        "env:",
        flags=re.I,
        before=40,
    ),
    clue(
        "the whole environment",
        r"(?:JSON\.stringify|Object\.(?:entries|values|assign|fromEntries))\([^\n]{0,30}\bprocess\.env\b(?!\.|\[)"
        r"|\benv\s{0,2}:\s{0,2}process\.env\s{0,2}[,}](?=[^\n]{0,200}\))|=\s{0,2}process\.env\s{0,2};",
        "process.env",
        before=80,
    ),
    clue(
        "the whole environment",
        r"(?:^|[;&|(\s\"'`])(?:printenv|env|export\s-p|set)\s{0,4}(?:\||>)"
        r"|(?:\$\(|`)\s{0,4}(?:printenv|env|export\s-p|set)\s{0,4}(?:\)|`)"
        r"|\b(?:exec\w{0,8}|check_output|run|getoutput)\(\s{0,4}\[?[\"'`](?:printenv|env)[\"'`]|\bGet-ChildItem\s{1,4}env:"
        r"|\bDeno\.env\.toObject\(",
        "printenv",
        "env",
        "set",
        "export -p",
        "deno.env",
    ),
)
SECRET_VARIABLES = (
    clue(
        "keys in variables",
        r"(?:process\.env(?:\.|\[[\"'])|os\.environ(?:\.get)?[(\[][\"']|os\.getenv\([\"']|\$\{?)\w{0,40}(?:TOKEN"
        r"|SECRET|PASSWORD|API_?KEY|PRIVATE_KEY|ACCESS_KEY|CREDENTIALS?)\b",
        "process.env",
        "os.environ",
        "os.getenv",
        "_token*",
        "_secret*",
        "_password*",
        "_key*",
        "_credential*",
        flags=re.I,
        before=80,
    ),
)
# What a user does at the machine, whatever the program is for.
WATCHES = (
    clue(
        "what the user types",
        r"\bkeyboard\.(?:Listener|on_press|record|hook)\(|\bGetAsyncKeyState\b|\bSetWindowsHookEx\w?\b|\bpyHook\b"
        r"|\bevdev\.InputDevice\(|\bGlobalKeyboardListener\b|\biohook\b|\bxinput\s{1,4}test\b|\blogkeys\b",
        *("keyboard.", "getasynckeystate", "setwindowshookex*", "pyhook", "evdev", "globalkeyboardlistener", "iohook"),
        *("xinput test", "logkeys"),
    ),
)
SCREEN = (
    clue(
        "the screen",
        r"\bmss\.mss\(|\bImageGrab\.grab\(|\bpyautogui\.screenshot\(|\bscreencapture\s{1,4}-|\bscreenshot-desktop\b"
        r"|\bscrot\s|\bgrim\s|\bimport\s{1,4}-window\s{1,4}root|\bCopyFromScreen\(",
        *("mss.", "imagegrab", "pyautogui", "screencapture", "screenshot-desktop", "scrot", "grim", "copyfromscreen"),
        "import -window",
    ),
)
TRANSCRIPT = (clue("the transcript of the session", r"\btranscript_?[pP]ath\b", "transcript_path", "transcriptpath"),)
HOOK_INPUT = (
    clue(
        "what the agent does",
        r"\$\(\s{0,4}cat\s{0,4}(?:-\s{0,4})?\)|`cat`|\bread\s{1,4}-r\b|(?:^|[;&|]\s{0,4})cat\s{0,4}-?\s{0,4}\|"
        r"|\bsys\.stdin\b|\bprocess\.stdin\b|readFileSync\(\s{0,4}(?:0|[\"']/dev/stdin)|\bBun\.stdin\b"
        r"|\bDeno\.stdin\b|/dev/stdin|\$input\b|@-(?=[\s\"']|$)",
        "cat",
        "read",
        "stdin",
        "readfilesync(0",
        "$input",
        "@-",
    ),
)
