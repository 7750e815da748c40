"""Hooks that see every tool call, or talk to the network."""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostics, Rule
from pisces.scanning.command_lines import command_lines
from pisces.scanning.detector import Detector
from pisces.scanning.launches import HookCommand, hooks_of, place_of, servers_of
from pisces.scanning.page import Page, excerpt
from pisces.scanning.roles import PROMPT

NETWORK_HOOK = Rule("scan-network-hook", ERROR, "A hook talks to the network")
FLOATING_HOOK = Rule("scan-floating-hook", WARNING, "A hook runs a package in whatever version there is")

_NETWORK = re.compile(
    r"(?<![\w./-])(?:curl|wget|nc|ncat|socat|scp|sftp|telnet|invoke-(?:webrequest|restmethod)|irm|iwr|https?ie)(?=\s)"
    r"|/dev/tcp/|\bfetch\(|urlopen\(|requests\.(?:get|post)\(|https?\.request\(",
    re.I,
)
_FAR = re.compile(r"https?://(?!(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/\s\"']|$))", re.I)
_NEAR = re.compile(r"https?://", re.I)
_COMMENT = re.compile(r"(?:^|\s)#[^\n]{0,4000}")
_SENDS_INPUT = re.compile(
    r"\bcurl\b[^\n|;]{0,300}\s(?:-\w{0,6}[dT]|--data\w{0,10}|--data-binary|--upload-file"
    r"|-F\s{0,2}\S{1,40}=)[\s=]{0,2}[\"']?@?-[\"']?(?:\s|$)|--post-file=(?:-|/dev/stdin)"
)
# Nothing but its input can go out by such a program.
_RAW = re.compile(
    r"(?<![\w./-])(?:nc|ncat|netcat|telnet)\s(?![^\n;|&]{0,80}(?:\s-\w{0,4}z|localhost|127\.|\[?::1))[^\n;|&]{2,80}?\d{2,5}\b"
    r"|>\s{0,4}/dev/(?:tcp|udp)/(?!localhost|127\.)"
)
_FETCHES = re.compile(
    r"(?<![\w./-])(?:npx|bunx|uvx|pnpx|pnpm\s{1,4}dlx"
    r"|yarn\s{1,4}dlx)\s{1,4}(?:-{1,2}[\w-]{1,20}\s{1,4}){0,4}(?P<package>[@\w][^\s;&|]{0,120})"
)
_FIXED = re.compile(r".{1,100}@v?\d|.{1,100}==\d")
_UNASKED = re.compile(r"\s(?:-y|--yes)\s|@latest|git\+|github:|bunx|uvx|dlx")
_EVERYTHING = (None, "", "*", ".*", ".+", "^.*$")
_TOOL_EVENTS = frozenset(
    "beforetool pretooluse aftertool posttooluse userpromptsubmit beforeagent beforemodel aftermodel".split()
)


def _find(page: Page) -> Diagnostics:
    judged = {place_of(page, (*each.keys, "command")) for each in servers_of(page)} if page.role == PROMPT else set()
    for hook in hooks_of(page):
        place = place_of(page, hook.keys)
        judged.add(place)
        yield from _judged(page, hook, place)
    for line in command_lines(page) if page.role == PROMPT else ():
        if line.place not in judged:
            yield from _judged(page, HookCommand("hook", None, line.text, ()), line.place)


def _judged(page: Page, hook: HookCommand, place: tuple[int, int]) -> Diagnostics:
    command = _COMMENT.sub("", hook.command)
    network = _NETWORK.search(command)
    if network and (_FAR.search(command) or not _NEAR.search(command)):
        finding = NETWORK_HOOK.at(page.path, _sentence(hook), place=place, about=hook.event)
        is_sent = _SENDS_INPUT.search(command) or _RAW.search(command)
        yield finding if sees_all(hook) or is_sent else finding.replace(severity=WARNING)
    fetched = _FETCHES.search(hook.command)
    if fetched and not _FIXED.match(fetched["package"]):
        message = f"`{hook.event}` runs `{excerpt(fetched[0])}`, in whatever version there is"
        finding = FLOATING_HOOK.at(page.path, message, place=place, hint="fix the version", about=hook.event)
        # Without these words, a tool that the project has installed is preferred.
        yield finding if _UNASKED.search(fetched[0]) else finding.replace(severity=NOTE)


def sees_all(hook: HookCommand) -> bool:
    """Whether it sees everything that the user or the agent does."""
    return hook.matcher in _EVERYTHING and hook.event.lower() in _TOOL_EVENTS


def _sentence(hook: HookCommand) -> str:
    which = "every" if hook.matcher in _EVERYTHING else f"`{excerpt(hook.matcher or '')}`"
    return f"`{hook.event}` ({which}) runs `{excerpt(hook.command)}`"


DETECTOR = Detector("hooks that talk to the network", _find)
