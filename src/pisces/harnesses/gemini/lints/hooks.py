"""Hooks of Gemini CLI: matchers that never match, timeouts in the wrong unit, duplicates."""

from __future__ import annotations

import re

from pisces.checking.hook_entries import HookEntry, hook_entries
from pisces.checking.lint import Lint
from pisces.checking.spelling import did_you_mean
from pisces.checking.subject import Subject
from pisces.diagnostics import ERROR, WARNING, Diagnostics, Rule
from pisces.discovery.finders.event_hooks import EVENTS
from pisces.discovery.tool_names import names_elsewhere
from pisces.formats.fit import noun_of
from pisces.formats.js_regex import regex_flaw
from pisces.formats.js_regex_match import js_pattern
from pisces.formats.js_truth import is_truthy
from pisces.harnesses.gemini.known_tools import BUILT_IN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    HookFlaw = tuple[Rule, str, str, str]

HOOK_MATCHER_VALUE = Rule("hook-matcher-value", ERROR, "A hook's matcher names something that never happens")
HOOK_MATCHER_TOOL = Rule("hook-matcher-tool", WARNING, "A hook's matcher matches no tool of Gemini CLI")
HOOK_MATCHER_REGEX = Rule("hook-matcher-regex", ERROR, "A hook's matcher is not a regular expression")
HOOK_MATCHER_IGNORED = Rule("hook-matcher-ignored", WARNING, "A hook's matcher is ignored")
HOOK_TIMEOUT = Rule("hook-timeout", WARNING, "A hook's timeout is probably in seconds")
HOOK_TWICE = Rule("hook-twice", WARNING, "The same hook is registered twice for one event")
HOOK_KEY = Rule("hook-key", WARNING, "A key of a hook that Gemini CLI does not read")

_VALUES = {
    "SessionStart": ("startup", "resume", "clear"),
    "SessionEnd": ("exit", "clear", "logout", "prompt_input_exit", "other"),
    "PreCompress": ("manual", "auto"),
}
_TOOL_EVENTS = ("BeforeTool", "AfterTool")
KEYS = ("type", "command", "name", "description", "timeout", "env", "source")
GROUP_KEYS = ("matcher", "sequential", "hooks", "description", "name")
_OF_CLAUDE = frozenset("async asyncRewake rewakeMessage shell if once statusMessage args allowedEnvVars".split())
_LOOKS_LIKE_SECONDS = 600
_WORD = re.compile(r"[A-Za-z_]+")


def _find(subject: Subject) -> Diagnostics:
    shared = bool(set(subject.formats) & {"claude-plugin", "codex-plugin"})
    for path in subject.paths("hooks", "gemini"):
        for entry, (rule, key, message, hint) in _flaws(path, subject):
            if not (shared and key in _OF_CLAUDE):  # Claude Code reads the same file, and these keys
                yield rule.at(path, message, place=entry.place(key), hint=hint, about=entry.event)


def _flaws(path: str, subject: Subject) -> Iterator[tuple[HookEntry, HookFlaw]]:
    reported: set[tuple[object, ...]] = set()
    for entry in hook_entries(path, subject.pages):
        if entry.event in EVENTS:
            yield from ((entry, flaw) for flaw in (*_group_flaws(entry, reported), *_hook_flaws(entry, reported)))


def _group_flaws(entry: HookEntry, reported: set[tuple[object, ...]]) -> Iterator[HookFlaw]:
    """What is wrong with the group of a hook: reported once, with its first hook."""
    if ("group", *entry.group_keys) in reported:
        return
    reported.add(("group", *entry.group_keys))
    for key in entry.group:
        if key not in GROUP_KEYS:
            hint = did_you_mean(key, GROUP_KEYS)
            yield HOOK_KEY, f"../{key}", f"`{key}` has no effect here", hint
    matcher = entry.group.get("matcher")
    if isinstance(matcher, str):
        if matcher.strip() not in ("", "*"):
            yield from _matcher_flaws(entry.event, matcher.strip())
    elif is_truthy(matcher) and entry.event in (*_VALUES, *_TOOL_EVENTS):
        message = f"`matcher` must be text, not {noun_of(matcher)}: no hook of `{entry.event}` runs"
        yield HOOK_MATCHER_REGEX, "../matcher", message, ""


def _matcher_flaws(event: str, matcher: str) -> Iterator[HookFlaw]:
    at = "../matcher"
    if event in _VALUES:
        if matcher not in _VALUES[event]:
            known = ", ".join(f"`{value}`" for value in _VALUES[event])
            message = f"`{event}` never happens with `{matcher}`: the hook never runs"
            yield HOOK_MATCHER_VALUE, at, message, f"leave it out, or one definition for each of {known}"
    elif event not in _TOOL_EVENTS:
        if matcher != ".*":
            yield HOOK_MATCHER_IGNORED, at, f"`{event}` ignores matchers: the hook runs every time", ""
    elif flaw := regex_flaw(matcher):
        yield HOOK_MATCHER_REGEX, at, f"`{matcher}` is not a regular expression: {flaw}", ""
    elif not _matches_a_tool(matcher):
        own = names_elsewhere("gemini")
        instead = "|".join(dict.fromkeys(own[word] for word in _WORD.findall(matcher) if word in own))
        if instead:
            yield HOOK_MATCHER_TOOL, at, f"`{matcher}` matches no tool", f"Gemini CLI calls them `{instead}`"
        elif " " in matcher:
            hint = "a matcher is a regular expression on the tool's name, nothing more"
            yield HOOK_MATCHER_TOOL, at, f"`{matcher}` matches no tool: no name has a space", hint
        elif hint := did_you_mean(matcher, BUILT_IN):
            yield HOOK_MATCHER_TOOL, at, f"`{matcher}` matches no built-in tool", hint


def _matches_a_tool(matcher: str) -> bool:
    pattern = js_pattern(matcher)
    return pattern is None or any(map(pattern.search, BUILT_IN))  # None: cannot be decided in linear time


def _hook_flaws(entry: HookEntry, reported: set[tuple[object, ...]]) -> Iterator[HookFlaw]:
    hook = entry.hook
    timeout = hook.get("timeout")
    if isinstance(timeout, bool) or not isinstance(timeout, int | float | None):
        yield HOOK_TIMEOUT, "timeout", f"`timeout` must be a number of milliseconds, not {noun_of(timeout)}", ""
    elif timeout is not None and 0 < timeout <= _LOOKS_LIKE_SECONDS:
        yield HOOK_TIMEOUT, "timeout", f"`timeout` is {timeout:g} milliseconds", f"for seconds write {timeout:g}000"
    for key in hook:
        if key not in KEYS:
            yield HOOK_KEY, key, f"`{key}` has no effect", did_you_mean(key, KEYS)
    same = (entry.event, *map(_hashed, (entry.group.get("matcher"), hook.get("name"), hook.get("command"))))
    if same in reported:
        yield HOOK_TWICE, "command", f"this hook is already registered for `{entry.event}`", ""
    reported.add(same)


def _hashed(value: object) -> object:
    """A list or an object has no hash. It is compared by identity: whatever it means, it is no duplicate."""
    return id(value) if isinstance(value, dict | list) else value


LINT = Lint("hooks of Gemini CLI", _find, "gemini")
