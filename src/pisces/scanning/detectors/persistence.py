"""Persistence: the package writes files that other programs run later."""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, NOTE, Diagnostics, Rule
from pisces.scanning.detector import Detector
from pisces.scanning.known_files import harness_folders
from pisces.scanning.page import Page, excerpt
from pisces.scanning.words import words

PERSISTENCE = Rule("scan-persistence", ERROR, "Something is set up to run later, outside of the package")
_RC = (
    r"(?:(?:~|\$\{?\w{1,20}\}?|/(?:home|Users"
    r"|root)[\w/.-]{0,60})/(?:\.bashrc|\.zshrc|\.profile|\.bash_profile|\.zprofile|\.zshenv"
    r"|\.bash_login|\.config/fish/config\.fish)|\$PROFILE\b|/etc/profile)"
)
_TO = r"(?:(?<![^\s\d&\"')])>>?|\btee\s(?:-a\s)?)\s{0,4}[\"']?"
# Rare in documentation, so an error even there.
_HARD = (
    re.compile(rf"{_TO}{_RC}"),
    re.compile(
        r"(?:appendFile(?:Sync)?|writeFile(?:Sync)?"
        r"|open)\([^\n]{0,120}\.(?:bashrc|zshrc|bash_profile|zprofile|zshenv)\b"
    ),
    re.compile(
        rf"{_TO}[^\s|;]{{0,60}}(?:\.ssh/authorized_keys|(?:{'|'.join(map(re.escape, harness_folders()))})"
        r"/(?:settings|hooks|config)\.\w{2,5})"
    ),
    re.compile(r"(?:>\s{0,4}|\bcp\s|\bmv\s|\btee\s)[^\n]{0,120}Library/Launch(?:Agents|Daemons)"),
    re.compile(r"CurrentVersion\\{1,4}Run\b|Start Menu\\{1,4}Programs\\{1,4}Startup", re.I),
)
# Common in documentation about servers and repositories.
_SOFT = (
    re.compile(
        r"\|\s{0,4}crontab\s{1,4}-|\bcrontab\s{1,4}(?:-(?![lre])|[\w./~])|>\s{0,4}/etc/cron\.\w{1,9}/|/var/spool/cron"
    ),
    re.compile(r"\blaunchctl\s{1,4}(?:load|bootstrap|enable)\b"),
    re.compile(
        r"\bsystemctl\s{1,4}(?:--user\s{1,4})?enable\b|\bschtasks(?:\.exe)?\s{1,4}/create\b|Register-ScheduledTask",
        re.I,
    ),
    re.compile(r"(?:>>?\s{0,4}|\bcp\s|\bmv\s|\btee\s|\bln\s|\binstall\s)[^\n|;]{0,120}\.git/hooks/\w"),
    re.compile(r"git\s{1,4}config\s[^\n]{0,40}core\.(?:hooksPath|fsmonitor|sshCommand)"),
)


def _find(page: Page) -> Diagnostics:
    for found in page.matches(_HARD, _WORDS, before=250, after=100):
        yield page.weighed(PERSISTENCE, found.start(), f"`{excerpt(found[0])}` outlives the package")
    for found in page.matches(_SOFT, _WORDS, before=250, after=100):
        finding = page.weighed(PERSISTENCE, found.start(), f"`{excerpt(found[0])}` outlives the package")
        yield finding if finding.severity == ERROR else finding.replace(severity=NOTE)


_WORDS = words(
    *(".bashrc", ".bash_profile", ".bash_login", ".zshrc", ".zprofile", ".zshenv", ".profile", "config.fish"),
    *("$profile", "/etc/profile", "crontab", "/etc/cron", "spool/cron", "launchctl", "library/launchagents"),
    *("library/launchdaemons", "systemctl", "schtasks", "register-scheduledtask", "currentversion"),
    *("start menu", ".git/hooks/", "core.hookspath", "core.fsmonitor", "core.sshcommand", "authorized_keys"),
    *("/settings.", "/hooks.", "/config."),
)


DETECTOR = Detector("ways to stay on a machine", _find)
