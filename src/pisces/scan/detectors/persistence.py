"""Ways to stay on a machine: files that something else runs later, written by the package."""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, Rule
from pisces.scan.detector import Detector, tokens
from pisces.scan.page import excerpt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.diagnostics import Diagnostic
    from pisces.scan.page import Page

PERSISTENCE = Rule(
    "scan-persistence",
    ERROR,
    "Something is set up to run later, outside of the package",
    "Shell start files, schedules, login items, git hooks and the settings of agents run without being asked, and stay when "
    "the package is removed.",
    "echo 'source ~/.x' >> ~/.zshrc",
    "declare a hook in the manifest, so that it goes away with the package",
)
_RC = r"(?:\.bashrc|\.zshrc|\.profile|\.bash_profile|\.zprofile|\.zshenv|\.bash_login|config\.fish|\$PROFILE\b|/etc/profile)"
_WRITES = (
    re.compile(rf"(?:>>?|\btee\s(?:-a\s)?)\s{{0,4}}[\"']?[^\s\"'|;]{{0,60}}{_RC}"),
    re.compile(rf"(?:appendFile(?:Sync)?|writeFile(?:Sync)?|open)\([^\n]{{0,120}}{_RC}"),
    re.compile(r"\|\s{0,4}crontab\s{1,4}-|\bcrontab\s{1,4}-(?![lr])\s{0,4}|/etc/cron\.\w{1,9}/|/var/spool/cron"),
    re.compile(r"\blaunchctl\s{1,4}(?:load|bootstrap|enable)\b|(?:>|cp\s|mv\s|tee\s)[^\n]{0,120}Library/Launch(?:Agents|Daemons)"),
    re.compile(r"\bsystemctl\s{1,4}(?:--user\s{1,4})?enable\b|\bschtasks(?:\.exe)?\s{1,4}/create\b|Register-ScheduledTask", re.I),
    re.compile(r"CurrentVersion\\{1,4}Run\b|Start Menu\\{1,4}Programs\\{1,4}Startup", re.I),
    re.compile(r"(?:>>?|\bcp\s|\bmv\s|\btee\s|\bln\s|\binstall\s)[^\n|;]{0,120}\.git/hooks/\w|git\s{1,4}config\s[^\n]{0,40}core\.(?:hooksPath|fsmonitor|sshCommand)"),
    re.compile(r"(?:>>?|\btee\s(?:-a\s)?)\s{0,4}[^\s|;]{0,60}(?:\.ssh/authorized_keys|\.(?:claude|gemini|codex|cursor)/(?:settings|hooks|config)\.\w{2,5})"),
)  # fmt: skip


def _find(page: Page) -> Iterator[Diagnostic]:
    for found in page.matches(_WRITES, _WORDS, before=250, after=100):
        yield page.weighed(PERSISTENCE, found.start(), f"`{excerpt(found[0])}` outlives the package")


_WORDS = (".bash", ".zsh", ".profile", "config.fish", "$profile", "/etc/profile", "cron", "launchctl", "library/launch", "systemctl", "schtasks", "scheduledtask", "currentversion", ".git/hooks/", "core.", "authorized_keys", "/settings.", "/hooks.")  # fmt: skip

_TOKENS = tokens(
    "bashrc zshrc profile zprofile zshenv fish crontab cron launchctl launchagents launchdaemons systemctl schtasks scheduledtask currentversion startup hooks core authorized settings"
)

DETECTOR = Detector("ways to stay on a machine", _find, _TOKENS)
