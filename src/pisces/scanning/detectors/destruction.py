"""Commands that destroy a home, a disk or what an account has in the cloud."""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostics, Rule
from pisces.scanning.clues import clue, first, seen
from pisces.scanning.contexts import line_at
from pisces.scanning.detector import Detector
from pisces.scanning.order_words import GO_ON, W, is_read_by_agents, judged
from pisces.scanning.page import Page, excerpt
from pisces.scanning.quiet import is_far_from_calls, is_pattern
from pisces.scanning.roles import PROMPT, SHELL, SOURCE
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
        rf"\bfind\s{{1,4}}[\"']?(?:{_HOME}|/)/?[\"']?\s[^\n;|]{{0,160}}"
        rf"(?:-delete\b|-exec\s{{1,4}}(?:rm|shred)\b|\|\s{{0,4}}xargs\s[^\n;|]{{0,30}}\b(?:rm|shred)\b)",
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
    clue(
        "deletes a home or a disk",
        r"\b(?:Get-ChildItem|gci|ls|dir)\s{1,4}[\"']?(?:\$HOME|\$env:USERPROFILE|~|C:\\)[^\n|]{0,60}\|\s{0,4}(?:Remove-Item|rm|del)\b",
        *("get-childitem", "gci", "remove-item"),
        flags=re.I,
        before=80,
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

# Every file below the home, one after the other, whatever it is.
_ONE_BY_ONE = (
    clue(
        "deletes a home or a disk",
        r"(?:\b(?:os\.walk|readdirSync|listdir|scandir|iterdir)\(\s{0,4}(?:os\.path\.expanduser\([\"']~/?[\"']\)|Path\.home\(\)|(?:os\.)?homedir\(\)|process\.env\.HOME)\s{0,4}\)|\bPath\.home\(\)\.(?:iterdir|rglob|glob)\()"
        r"[^\n]{0,80}\n(?:(?![^\n]{0,200}\b(?:if|filter|continue)\b)[^\n]{0,200}\n){0,4}?(?![^\n]{0,200}\bif\b)[^\n]{0,200}\b(?:os\.remove|os\.unlink|unlink|rmtree|rmSync|unlinkSync)\(",
        *("os.walk", "readdirsync", "listdir", "scandir", "iterdir", "path.home"),
    ),
)
# What an administrator does by hand, and no hook by itself.
_AT_ONCE = (
    clue(
        "deletes what an account has",
        r"\baws\s{1,4}s3\s{1,4}rb\b[^\n;|]{0,80}--force|\baws\s{1,4}s3\s{1,4}rm\b[^\n;|]{0,80}--recursive|\bkubectl\s{1,4}delete\s[^\n;|]{0,60}--all\b"
        r"|\bterraform\s{1,4}destroy\b[^\n;|]{0,40}-auto-approve|\bgh\s{1,4}repo\s{1,4}delete\b[^\n;|]{0,60}--yes|\bdocker\s{1,4}system\s{1,4}prune\b[^\n;|]{0,20}--volumes"
        r"|\bterminate-instances\b|\bdelete-(?:db-instance|stack|bucket|user)\b|\bgit\s{1,4}push\b[^\n;|]{0,40}\s:(?:main|master)\b|\bDROP\s{1,4}DATABASE\b",
        *("aws", "kubectl", "terraform", "gh", "docker", "git", "drop database"),
        before=20,
    ),
)
_BY_CALL = tuple(each.pattern for each in _SIGNS[5:7])  # are themselves calls
_STARTING = frozenset(b"exec execsync execfile execfilesync spawn spawnsync system popen subprocess".split())
_PASSED = re.compile(
    r"\b(?:sh|bash|zsh|eval|exec|ssh|su|sudo|system|xargs|trap|watch|at|cron\w{0,3}|tee|env|nohup|source)\b|\||>|<"
)
_WALKS = (
    clue(
        "goes through a home",
        rf"\b(?:os\.walk|glob\.i?glob|readdirSync|readdir|scandir)\([^\n]{{0,60}}(?:expanduser|homedir|HOME|Path\.home|[\"']~)"
        rf"|Path\.home\(\)[^\n]{{0,40}}\.(?:rglob|glob|walk|iterdir)\(|\bfind\s{{1,4}}[\"']?{_HOME}[\"']?\s[^\n]{{0,80}}-type\s{{1,4}}f",
        *("os.walk", "glob", "iglob", "readdirsync", "readdir", "scandir", "path.home", "find"),
    ),
)
_ENCRYPTS = (
    clue(
        "encrypts",
        r"\bFernet\(|\.encrypt\(|\bcreateCipheriv\(|\bopenssl\s{1,4}enc\b|\bgpg\s[^\n]{0,40}(?:-c\b|--symmetric|--encrypt)|\bAES\.new\(|\bos\.urandom\(|\brandomBytes\(|\btoken_bytes\(",
        *(
            "fernet",
            ".encrypt",
            "createcipheriv",
            "openssl enc",
            "gpg",
            "aes.new",
            "os.urandom",
            "randombytes",
            "token_bytes",
        ),
    ),
)
_DELETES = (
    clue(
        "deletes",
        r"\bos\.(?:remove|unlink|replace|rename)\(|\.unlink\(|\bunlinkSync\(|\brmSync\(|\brenameSync\(|\brm\s|\bshred\s",
        *(
            "os.remove",
            "os.unlink",
            "os.replace",
            "os.rename",
            ".unlink",
            "unlinksync",
            "rmsync",
            "renamesync",
            "rm",
            "shred",
        ),
    ),
)
_GLOB = re.compile(r"\*[\"'][^\"'\n]{0,60}$")  # *"rm -rf /"* of a case: what a guard looks for
_GLOB_END = re.compile(r"[^\"'\n]{0,60}[\"']\*")
_EVERYWHERE = re.compile(
    rf"\b(?:delete|remove|terminate|drop|destroy|wipe|purge){W}(?:all|every)\b[^.\n]{{0,40}}"
    rf"\b(?:buckets?|databases?|instances?|repositor(?:y|ies)|backups?|snapshots?|resources?)\b[^.\n]{{0,40}}"
    rf"\b(?:you{W}can{W}(?:reach|find|access)|(?:of|in|for|from){W}(?:every|all|each)\b)"
    rf"|\b(?:empty|remove|purge|clear){W}(?:the{W})?user['’]s{W}home{W}(?:folder|director)"
    rf"|\b(?:remove|delete|empty|purge|erase|wipe){W}(?:everything|all(?:{W}files)?|anything){W}(?:in|from|under|below){W}(?:the{W}|their{W}|his{W})?(?:user['’]s{W})?home\b"
    rf"|\bdrop{W}(?:all|every){W}(?:databases?|tables?){W}(?:that{W})?you{W}can\b",
    re.I,
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
    *("home folder", "bucket", "buckets", "database", "databases", "instances", "repositories", "backups", "snapshots"),
    *("resources",),
)
_ORDER = re.compile(
    r"\b(?:run|execute|start\swith|begin\swith|call)\s{1,4}(?:the\s(?:command\s)?)?`[^`\n]{0,12}$", re.I
)


def _find(page: Page) -> Diagnostics:
    if is_read_by_agents(page):
        for found in page.matches((_DESTROY, _EVERYWHERE), _DESTROYED, before=200, after=40):
            yield judged(page, DESTROY_ORDER, found.start(), found[0])
    yield from _locked_up(page)
    for each, found in seen(page, _AT_ONCE) if page.is_hook else ():
        yield page.weighed(DESTRUCTION, found.start(), f"`{excerpt(found[0])}` {each.what}")
    for each, found in seen(page, _ONE_BY_ONE) if page.role == SOURCE else ():
        yield page.weighed_in_program(DESTRUCTION, found.start(), f"`{excerpt(found[0])}` {each.what}")
    for each, found in seen(page, _SIGNS):
        if is_pattern(found[0]) or _is_named_only(page, found):
            yield page.finding(DESTRUCTION, found.start(), f"`{excerpt(found[0])}`").replace(severity=NOTE)
            continue
        finding = page.weighed_in_program(DESTRUCTION, found.start(), f"`{excerpt(found[0])}` {each.what}")
        if page.role == SOURCE and found.re not in _BY_CALL and is_far_from_calls(page.text, *found.span()):
            yield finding.replace(severity=WARNING if finding.severity == ERROR else NOTE)
            continue
        is_order = page.role == PROMPT and bool(_ORDER.search(page.text, max(0, found.start() - 40), found.start()))
        if finding.severity == WARNING and is_order:
            yield finding.replace(severity=ERROR)
        else:
            yield finding if finding.severity == ERROR else finding.replace(severity=NOTE)  # the usual bad example


def _locked_up(page: Page) -> Diagnostics:
    """A program that goes through a home, encrypts what it finds and deletes it."""
    walks = first(page, _WALKS) if page.role in (SHELL, SOURCE) else None
    if walks and first(page, _ENCRYPTS) and first(page, _DELETES):
        message = f"the file goes through a home (`{excerpt(walks[1][0])}`), encrypts files and deletes them"
        yield page.weighed_in_program(DESTRUCTION, walks[1].start(), message)


def _is_named_only(page: Page, found: re.Match[str]) -> bool:
    """A guard or a test names the command as a text: in a list, or as an argument of something that runs nothing."""
    line, column = line_at(page.text, found.start())
    before = line[:column]
    if page.role == SHELL and _GLOB.search(before) and _GLOB_END.match(line, column + len(found[0])):
        return True
    if page.role == SOURCE:
        return _STARTING.isdisjoint(page.tokens) and found.re not in _BY_CALL
    is_open = page.role == SHELL and (before.count('"') % 2 or before.count("'") % 2)
    return bool(is_open) and page.name != "line.sh" and not _PASSED.search(before) and "=" not in before


DETECTOR = Detector("commands that destroy", _find, in_plain_text=True, in_references=True)
