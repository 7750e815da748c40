"""Commands that destroy a home, a disk or what an account has in the cloud."""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostics, Rule
from pisces.scanning.clues import clue, seen
from pisces.scanning.detector import Detector
from pisces.scanning.order_words import GO_ON, W, is_read_by_agents, judged
from pisces.scanning.page import Page, excerpt
from pisces.scanning.roles import PROMPT
from pisces.scanning.words import words

DESTRUCTION = Rule("scan-destruction", ERROR, "Files of the user or resources of an account are destroyed")
DESTROY_ORDER = Rule("scan-destroy-order", ERROR, "An agent is told to destroy what it can reach")

_HOME = r"(?:~|\$\{?HOME\}?|%USERPROFILE%|\$env:USERPROFILE|/home|/Users|/root)"
_SIGNS = (
    clue(
        "deletes a home or a disk",
        rf"\brm\s{{1,4}}(?:-\w{{1,9}}\s{{1,4}}|--\w[\w-]{{1,20}}\s{{1,4}}){{1,4}}[\"']?(?:{_HOME}(?:/\*?)?|/\*?"
        rf"|/\.\*)[\"']?(?=[\s;&|)\"'`]|$)",
        "rm",
    ),
    clue(
        "deletes a home or a disk",
        rf"\bfind\s{{1,4}}[\"']?(?:{_HOME}|/)/?[\"']?\s[^\n;|]{{0,160}}(?:-delete\b|-exec\s{{1,4}}(?:rm|shred)\b)",
        "find",
    ),
    clue(
        "overwrites a disk",
        r"\bdd\s[^\n;|]{0,80}\bof=/dev/(?:sd|nvme|disk|hd|vd)|\bmkfs(?:\.\w{1,8})?\s{1,4}/dev/|>\s{0,4}/dev/(?:sd"
        r"|nvme|disk)\w",
        "dd",
        "mkfs*",
        "/dev/sd*",
        "/dev/nvme*",
    ),
    clue("shreds files", rf"\bshred\s[^\n;|]{{0,80}}{_HOME}", "shred"),
    clue(
        "deletes a home or a disk",
        r"\bshutil\.rmtree\(\s{0,40}(?:os\.path\.expanduser\([\"']~[\"']\)|Path\.home\(\)|[\"'](?:~|/)[\"'])"
        r"|\b(?:rmSync|rm|rmdirSync)\(\s{0,40}(?:os\.)?homedir\(\)\s{0,4},",
        "rmtree",
        "rmsync",
        "rmdirsync",
        "rm(",
    ),
    clue(
        "deletes a home or a disk",
        r"\b(?:rmtree|rmSync|rm|rmdirSync|rmdir|removeSync|remove|rimraf(?:\.sync)?|emptyDirSync)\(\s{0,40}"
        r"(?:[\w.]{1,20}\(\s{0,4}){0,2}(?:[\"'`](?:~|\$HOME|/home|/Users)/?[\"'`]|(?:[\w.]{1,12}\.)?homedir\(\)"
        r"|require\([\"'](?:node:)?os[\"']\)\.homedir\(\)|Path\.home\(\)|process\.env\.(?:HOME|USERPROFILE)"
        r"|os\.environ\[[\"']HOME[\"']\])\){0,2}\s{0,4}[,)]",
        *("rmtree", "rmsync", "rm(", "rmdirsync", "rmdir(", "removesync", "remove(", "rimraf", "emptydirsync"),
    ),
    clue(
        "deletes a home or a disk",
        r"\b(?:rd|rmdir|del)\s{1,4}/s[^\n]{0,20}\s(?:C:\\|%USERPROFILE%)|Remove-Item\b[^\n]{0,60}(?:\$HOME"
        r"|\$env:USERPROFILE|C:\\)\s{0,4}[^\n]{0,20}-Recurse|\bformat\s{1,4}[cC]:",
        "rd",
        "rmdir",
        "del",
        "remove-item",
        "format",
    ),
)

_DESTROY = re.compile(
    rf"\b(?:delete|wipe|erase|destroy|terminate|clean)\b[^.\n"
    rf"|]{{0,80}}(?:\n{GO_ON}[^.\n]{{0,80}})?\b(?:near-factory|factory{W}state|(?:user['’]s|the|whole"
    rf"|entire){W}(?:home{W}director|file-?system|disk\b|drive\b|machine\b)\w{{0,3}}"
    rf"|file-?system{W}and{W}cloud|all{W}(?:of{W}the{W}|the{W})user['’]s{W}(?:files|data|repositories)"
    rf"|(?:all|every){W}(?:files?|data){W}on{W}(?:the|this|his|their){W}(?:disk|machine|computer|system))",
    re.I,
)
_DESTROYED = words(
    "near-factory",
    "factory state",
    "home directory",
    "home directories",
    "file-system",
    "filesystem",
    "disk",
    "drive",
    "machine",
    "user's files",
    "user's data",
    "computer",
)
_ORDER = re.compile(
    r"\b(?:run|execute|start\swith|begin\swith|call)\s{1,4}(?:the\s(?:command\s)?)?`[^`\n]{0,12}$", re.I
)


def _find(page: Page) -> Diagnostics:
    if is_read_by_agents(page):
        for found in page.matches((_DESTROY,), _DESTROYED, before=200, after=40):
            yield judged(page, DESTROY_ORDER, found.start(), found[0])
    for each, found in seen(page, _SIGNS):
        finding = page.weighed_in_program(DESTRUCTION, found.start(), f"`{excerpt(found[0])}` {each.what}")
        is_order = page.role == PROMPT and bool(_ORDER.search(page.text, max(0, found.start() - 40), found.start()))
        if finding.severity == WARNING and is_order:
            yield finding.replace(severity=ERROR)
        else:
            yield finding if finding.severity == ERROR else finding.replace(severity=NOTE)  # the usual bad example


DETECTOR = Detector("commands that destroy", _find, in_plain_text=True)
