"""Persistence: the package writes files that other programs run later."""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostics, Rule
from pisces.discovery.harness import all_harnesses
from pisces.scanning.clues import clue, first, seen
from pisces.scanning.detector import Detector
from pisces.scanning.known_files import harness_folders
from pisces.scanning.page import Page, excerpt
from pisces.scanning.roles import SHELL, SOURCE
from pisces.scanning.words import words

PERSISTENCE = Rule("scan-persistence", ERROR, "Something is set up to run later, outside of the package")
_RC = (
    r"(?:(?:~|\$\{?\w{1,20}\}?|/(?:home|Users"
    r"|root)[\w/.-]{0,60})/(?:\.bashrc|\.zshrc|\.profile|\.bash_profile|\.zprofile|\.zshenv"
    r"|\.bash_login|\.config/fish/config\.fish)|\$PROFILE\b|/etc/profile)"
)
_AGENT_FILE = rf"(?:{'|'.join(map(re.escape, harness_folders()))})/(?:settings(?:\.local)?|hooks|config|mcp)\.\w{{2,5}}"
_FOLDERS = "|".join(map(re.escape, harness_folders()))
_CONTEXT_NAMES = tuple(sorted({name.lower() for harness in all_harnesses() for name in harness.context_names}))
_CONTEXTS = "|".join(map(re.escape, sorted({name for harness in all_harnesses() for name in harness.context_names})))
_TO = r"(?:(?<![^\s\d&\"')])>>?|\btee\s(?:-a\s)?)\s{0,4}[\"']?"
# Rare in documentation, so an error even there.
_HARD = (
    re.compile(rf"{_TO}{_RC}"),
    re.compile(
        r"(?:appendFile(?:Sync)?|writeFile(?:Sync)?"
        r"|open)\([^\n]{0,120}\.(?:bashrc|zshrc|bash_profile|zprofile|zshenv)\b"
    ),
    re.compile(
        rf"{_TO}[^\s|;]{{0,60}}(?:\.ssh/(?:authorized_keys|config|rc)\b|(?:{_FOLDERS})"
        r"/(?:settings|hooks|config)\.\w{2,5})"
    ),
    # A program of ours under the name of one that everybody calls.
    re.compile(
        r"(?:>\s{0,4}|\b(?:cp|mv|ln|install)\s[^\n;|&]{1,120}\s)[\"']?[^\s;|&\"']{0,60}(?:\.local/bin|/usr/local/bin|(?:~|\$HOME)/bin)/"
        r"(?:git|ssh|sudo|npm|npx|node|python3?|pip3?|docker|kubectl|aws|gh|curl|ls|code|claude|gemini|codex)[\"']?(?=[\s;&|<]|$)"
    ),
    re.compile(r"(?:>\s{0,4}|\bcp\s|\bmv\s|\btee\s)[^\n]{0,120}Library/Launch(?:Agents|Daemons)"),
    re.compile(r"\b(?:Add-Content|Set-Content|Out-File|Copy-Item)\b[^\n]{0,80}\$PROFILE\b", re.I),
    re.compile(r"CurrentVersion\\{1,4}Run\b|Start Menu\\{1,4}Programs\\{1,4}Startup", re.I),
)
# What installers add: the folder of their programs, the completion of their words.
_ONLY_PATH = re.compile(
    r"\s{0,40}(?:\[[^\n]{1,80}\]\s{0,4}&&\s{0,4}|if\s[^\n;]{1,100};\s{0,4}then\s{1,4})?(?:echo|printf)\s{1,4}[\"'](?:\\n)?"
    r"(?:export\s{1,4}PATH=[\\\"']{0,2}[\w./~${}-]{2,100}:\\?\$\{?PATH\}?[\\\"']{0,2}|eval\s[\\\"']{1,2}\\?\$\([\w.-]{2,30}\s(?:completions?|hook|init|shellenv)\s?[\w-]{0,12}\)[\\\"']{1,2})"
    r"(?:\\n)?[\"']\s{0,4}>>"
)
# A script of the repository that becomes a hook of the same repository, when somebody asks for it.
_OWN_REPOSITORY = re.compile(
    r"git\s{1,4}config\s{1,4}(?:--local\s{1,4})?core\.hooksPath\s{1,4}[\"']?(?:\./)?\.?[\w-]{2,40}/?[\w-]{0,40}[\"']?(?=[\s;&|)]|$)"
    r"|(?:cp|ln|install)\s{1,4}(?:-\w{1,6}\s{1,4}){0,3}[\w./-]{3,80}\s{1,4}\.git/hooks/\w"
)
# Put in the place of a file that others run, whatever it was made from.
_MOVED = (
    re.compile(
        rf"\b(?:cp|mv|ln|install|rsync|sed\s{{1,4}}-i\w{{0,4}})\s[^\n|;&]{{1,200}}(?:{_RC}|(?:~"
        rf"|\$\{{?HOME\}}?)/{_AGENT_FILE}|\.ssh/authorized_keys"
        r"|\.config/(?:systemd/user|autostart)/|/etc/(?:cron|systemd|profile|ld\.so\.preload)|hooks/(?:pre|post"
        r"|commit)-\w)[^\s|;&]{0,80}[\"']?\s{0,3}(?=$|[\n;&|)])"
    ),
    re.compile(
        r"(?:>>?|\btee\s(?:-a\s)?)\s{0,4}[\"']?[^\s|;]{0,40}(?:\$\([^)\n]{1,60}\))?[^\s|;]{0,60}"
        r"(?:/hooks/(?:pre|post|commit|prepare)-\w{2,20}|\.config/(?:systemd/user|autostart)/|/etc/(?:cron"
        r"|systemd|ld\.so\.preload|sudoers))"
    ),
)
_WRITTEN = (
    clue("what continuous integration runs", r"\.github/workflows/", ".github/workflows"),
    clue("the instructions of an agent", rf"(?:~/|[\"'`/]|\}})(?:{_FOLDERS})/(?:{_CONTEXTS})\b", *_CONTEXT_NAMES),
    clue(
        "a file that shells read",
        r"(?:[\"'`/]|~/)\.(?:bashrc|zshrc|profile|bash_profile|zprofile|zshenv|bash_login|zlogin)\b"
        r"|config\.fish\b|[\"'`]/etc/profile",
        ".bashrc",
        ".zshrc",
        ".profile",
        ".bash_profile",
        ".zprofile",
        ".zshenv",
        ".bash_login",
        ".zlogin",
        "config.fish",
        "/etc/profile",
    ),
    clue(
        "the settings of an agent",
        rf"(?:~/|[\"'`/]){_AGENT_FILE}|(?:~/|[\"'`/])\.claude\.json\b|claude_desktop_config\.json|cline_mcp_settings\.json",
        "settings.json",
        "settings.local.json",
        "hooks.json",
        "config.toml",
        "mcp.json",
        *(".claude.json", "claude_desktop_config", "cline_mcp_settings"),
    ),
    clue("keys that may log in", r"\.ssh/authorized_keys|[\"'`/]authorized_keys2?[\"'`]", "authorized_keys"),
    clue(
        "a list of services",
        r"Library/Launch(?:Agents|Daemons)|\.config/systemd/user|\.config/autostart|[\"'`/]autostart[\"'`/]|/etc/systemd/system|/etc/cron"
        r"|/var/spool/cron|Start Menu.{1,4}Programs.{1,4}Startup",
        "launchagents",
        "launchdaemons",
        "systemd",
        "autostart",
        "/etc/cron*",
        "spool/cron",
        "startup",
    ),
    clue(
        "the hooks of a repository",
        r"\.git/hooks\b|hooks/(?:pre-commit|post-commit|pre-push|post-checkout|post-merge)\b|core\.hooksPath",
        ".git/hooks",
        "pre-commit",
        "post-commit",
        "pre-push",
        "post-checkout",
        "post-merge",
        "core.hookspath",
        before=40,
    ),
    clue(
        "a file that every Python reads",
        r"[\"'/][\w-]{0,40}\.pth[\"']|(?:site|user)customize\.py",
        ".pth",
        "sitecustomize",
        "usercustomize",
    ),
    clue("what editors run", r"\.vscode/(?:tasks|settings)\.json", "tasks.json", "settings.json"),
    clue("the table of cron", r"[\"'`]crontab[\"'`]\s{0,4},\s{0,4}[\"'`]-[\"'`]|\bcrontab\s{1,4}-(?![lre])", "crontab"),
)
_CONTEXT_FILES = (clue("the instructions of agents", rf"[\"'`](?:{_CONTEXTS})[\"'`]", *_CONTEXT_NAMES),)
_WRITES = (
    clue(
        "writes",
        r"\b(?:writeFile|appendFile|copyFile|symlink|createWriteStream|outputFile)(?:Sync)?\(|\bBun\.write\("
        r"|\bDeno\.write\w{0,12}\(",
        "writefile*",
        "appendfile*",
        "copyfile*",
        "symlink*",
        "createwritestream",
        "outputfile*",
        "bun.write",
        "deno.write*",
    ),
    clue(
        "writes",
        r"\bos\.(?:OpenFile|WriteFile|Create)\(|\bFile\.(?:open|write|append)\(|\bfile_put_contents\(|\bOpenOptions::|\bFiles\.write",
        *(
            "os.openfile",
            "os.writefile",
            "os.create",
            "file.open",
            "file.write",
            "file_put_contents",
            "openoptions",
            "files.write*",
        ),
    ),
    clue(
        "writes",
        r"(?<![\w.])open\([^\n]{0,200},\s{0,4}(?:mode\s{0,2}=\s{0,2})?[\"'][awx]b?\+?[\"']"
        r"|\.open\(\s{0,40}[\"'][awx]|\.write_(?:text|bytes)\(|\bshutil\.(?:copy|move)\w{0,6}\(|\bos\.(?:symlink"
        r"|rename|replace)\(",
        "open(",
        "write_text",
        "write_bytes",
        "shutil",
        "os.symlink",
        "os.rename",
        "os.replace",
    ),
    clue("writes", r"[\"'`]crontab[\"'`]\s{0,4},\s{0,4}[\"'`]-[\"'`]|\bcrontab\s{1,4}-(?![lre])", "crontab"),
)
# Common in documentation about servers and repositories.
_SOFT = (
    re.compile(
        r"\|\s{0,4}crontab\s{1,4}-|\bcrontab\s{1,4}(?:-(?![lre\w])|[\"']?[\w.$~{}-]{0,60}[./$]"
        r"|\w{2,30}[ \t]{0,4}(?=$|[\n;&|]))|>\s{0,4}/etc/cron\.\w{1,9}/|/var/spool/cron"
    ),
    re.compile(
        r"\bnpm[\s\"',\[]{1,8}config[\s\"',]{1,8}set[\s\"',]{1,8}(?:--?\w{1,9}[\s\"',]{1,8})?(?:script-shell|node-options|init-module)\b"
        r"|\bgit[\s\"',\[]{1,8}config[^\n;|&]{0,60}\burl\.[^\n;|&]{3,120}\.insteadOf\b|\b(?:pip|npm)[\s\"',\[]{1,8}config[\s\"',]{1,8}set[^\n;|&]{0,40}"
        r"(?:index-url|registry)[\s=\"',]{1,6}http(?!s://(?:registry\.npmjs|pypi\.org))"
    ),
    re.compile(r"\blaunchctl[\s\"',\[]{1,8}(?:load|bootstrap|enable)\b"),
    re.compile(
        r"\bsystemctl[\s\"',\[]{1,8}(?:--user[\s\"',]{1,8})?enable\b|\bschtasks(?:\.exe)?[\s\"',\[]{1,8}/create\b|Register-ScheduledTask",
        re.I,
    ),
    re.compile(r"(?:>>?\s{0,4}|\bcp\s|\bmv\s|\btee\s|\bln\s|\binstall\s)[^\n|;]{0,120}\.git/hooks/\w"),
    re.compile(
        r"git[\s\"',\[]{1,8}config(?![\s\"',]{1,6}--(?:get|unset|list))[\s\"'][^\n]{0,40}(?:core\.(?:hooksPath|fsmonitor|sshCommand)(?=[\s\"',]{1,6}[\w./$~{])|init\.templateDir|alias\.\w{1,20}[\s\"',]{1,6}!|credential\.helper[\s\"',]{1,6}!)"
    ),
)


def _find(page: Page) -> Diagnostics:
    for found in page.matches((*_HARD, *_MOVED), _WORDS, before=250, after=100):
        finding = page.weighed(PERSISTENCE, found.start(), f"`{excerpt(found[0])}` outlives the package")
        is_usual = (
            finding.severity == ERROR and found.re is _HARD[0] and _ONLY_PATH.match(page.line_with(found.start()))
        )
        is_own = found.re is _MOVED[0] and _is_for_itself(page, found.start())
        yield finding.replace(severity=WARNING) if is_usual or (is_own and finding.severity == ERROR) else finding
    for found in page.matches(_SOFT, _WORDS, before=250, after=100):
        finding = page.weighed(PERSISTENCE, found.start(), f"`{excerpt(found[0])}` outlives the package")
        if finding.severity == ERROR and _is_for_itself(page, found.start()):
            finding = finding.replace(severity=WARNING)
            yield finding
            continue
        yield finding if finding.severity == ERROR else finding.replace(severity=NOTE)
    if page.role == SOURCE:
        yield from _by_program(page)


def _is_for_itself(page: Page, at: int) -> bool:
    return page.role == SHELL and not page.is_hook and bool(_OWN_REPOSITORY.match(page.text, at))


def _by_program(page: Page) -> Diagnostics:
    """A program that names such a file and writes files: an error if it starts by itself."""
    place = first(page, _WRITTEN)
    if place is None:
        yield from _contexts_at_home(page)
    writes = place and next((each for each in seen(page, _WRITES) if not _is_elsewhere(page, each[1], place[1])), None)
    if place and writes:
        message = (
            f"the file names {place[0].what} (`{excerpt(place[1][0])}`) and writes files (`{excerpt(writes[1][0])}`)"
        )
        finding = page.weighed(PERSISTENCE, place[1].start(), message)
        is_near = abs(place[1].start() - writes[1].start()) < _NEAR
        yield finding if is_near else finding.replace(severity=NOTE)


def _contexts_at_home(page: Page) -> Diagnostics:
    """A program that writes files, and names the instructions of agents and the home of the user."""
    place = first(page, _CONTEXT_FILES)
    if place and _HOME.search(page.text) and first(page, _WRITES):
        message = f"the file writes files, and names {place[0].what} (`{excerpt(place[1][0])}`) and the user's home"
        finding = page.weighed(PERSISTENCE, place[1].start(), message)
        yield finding.replace(severity=WARNING) if finding.severity == ERROR else finding.replace(severity=NOTE)


def _is_elsewhere(page: Page, writes: re.Match[str], place: re.Match[str]) -> bool:
    """Whether what is written is known to be another file: a literal, or a name whose only value is one."""
    target = _TARGET.match(page.text, writes.start())
    if not target:
        return False
    base = _LAST_PIECE.findall(place[0])[-1:]
    if target["literal"]:
        return not any(each in target["literal"] for each in base)
    values = [
        found["value"]
        for found in _LITERAL.finditer(page.text[: writes.start()][-_BEFORE:])
        if found["name"] == target["name"]
    ]
    return bool(values) and not any(each in value for value in values for each in base)


_TARGET = re.compile(
    r"(?:open|writeFile|writeFileSync|appendFile|appendFileSync|Bun\.write|createWriteStream)\(\s{0,40}"
    r"(?:[\"'](?P<literal>[^\"'\n]{1,120})[\"']|(?P<name>\w{1,40}))\s{0,4},"
)
_LITERAL = re.compile(
    r"^[ \t]{0,40}(?:(?:const|let|var)[ \t])?(?P<name>\w{1,40})[ \t]{0,4}=[ \t]{0,4}"
    r"(?P<value>(?:Path(?:\.cwd)?\(\)?[ \t/]{0,4})?[\"'][^\"'\n]{1,120}[\"']\)?;?)[ \t]{0,4}$",
    re.M,
)
_LAST_PIECE = re.compile(r"[\w.-]{2,60}")
_BEFORE = 20_000
_NEAR = 1200
_HOME = re.compile(r"\bPath\.home\(\)|\bhomedir\(\)|expanduser\(|[\"'`]~/|\bHOME\b")
_WORDS = words(
    *(".bashrc", ".bash_profile", ".bash_login", ".zshrc", ".zprofile", ".zshenv", ".profile", "config.fish"),
    *("$profile", "/etc/profile", "crontab", "/etc/cron", "spool/cron", "launchctl", "library/launchagents"),
    *("library/launchdaemons", "systemctl", "schtasks", "register-scheduledtask", "currentversion"),
    *(
        "start menu",
        ".git/hooks/",
        "core.hookspath",
        "core.fsmonitor",
        "core.sshcommand",
        "authorized_keys",
        "alias.",
        "credential.helper",
        "init.templatedir",
        *(
            "script-shell",
            "node-options",
            "init-module",
            "insteadof",
            "index-url",
            "registry",
            ".local/bin/",
            "local/bin/",
            "home/bin/",
            "~/bin/",
            ".ssh/config",
        ),
    ),
    *(
        "/settings.",
        "/hooks.",
        "/config.",
        "/mcp.",
        "hooks/pre*",
        "hooks/post*",
        "systemd",
        "autostart",
        "/etc/ld.so",
        "/etc/sudoers",
    ),
)


DETECTOR = Detector("ways to stay on a machine", _find, in_plain_text=True)
