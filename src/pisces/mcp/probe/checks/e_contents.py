"""Prompts, resources, templates and completion. One resource is read: reading changes nothing by the protocol."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from pisces.diagnostics import ERROR, WARNING, Rule
from pisces.mcp.connection import PROMPTS, RESOURCES, TEMPLATES, ServerError
from pisces.mcp.probe.check import ServerCheck
from pisces.mcp.probe.subject import NotChecked

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pisces.mcp.probe.subject import ServerSubject

PROMPT_LIST = Rule("mcp-prompt-list", ERROR, "The list of prompts is not usable")
UNKNOWN_PROMPT = Rule("mcp-unknown-prompt", ERROR, "A prompt that does not exist is answered")
RESOURCE_LIST = Rule("mcp-resource-list", ERROR, "The list of resources or of templates is not usable")
RESOURCE_READ = Rule("mcp-resource-read", ERROR, "A resource that is listed cannot be read")
UNKNOWN_RESOURCE = Rule("mcp-unknown-resource", WARNING, "A resource that does not exist is answered")
COMPLETION = Rule("mcp-completion", WARNING, "A server announces completions and gives none that can be used")

_MOST_VALUES = 100  # by the protocol
_NOWHERE = "pisces-test://nowhere"


async def _prompt_list(subject: ServerSubject) -> list[str]:
    found = await subject.listing(PROMPTS)
    problems = [*filter(None, [found.flaw]), *_lacking(found.items, "name", "a prompt")]
    problems += [f"`{name}` is there more than once" for name, count in Counter(found.named()).items() if count > 1]
    for prompt in found.items:
        arguments = prompt.get("arguments") or []
        if not isinstance(arguments, list) or list(_lacking(arguments, "name", "")):
            problems.append(f"`{prompt.get('name')}`: its arguments are no list of objects with names")
    return problems


def _lacking(items: list[Any], key: str, what: str) -> Iterator[str]:
    for each in items:
        if not isinstance(each, dict) or not isinstance(each.get(key), str) or not each[key]:
            yield f"{what} has no `{key}`"


async def _unknown_prompt(subject: ServerSubject) -> list[str]:
    await subject.listing(PROMPTS)
    found = await subject.refusal("prompts/get", {"name": "pisces-no-such-prompt"})
    return [] if isinstance(found, ServerError) else ["the answer is a prompt, not an error"]


async def _resource_list(subject: ServerSubject) -> list[str]:
    found = await subject.listing(RESOURCES)
    problems = [*filter(None, [found.flaw]), *_lacking(found.items, "uri", "a resource")]
    problems += _lacking(found.items, "name", "a resource")
    try:
        templates = await subject.read(TEMPLATES)
    except ServerError as error:
        return problems if error.code == _NO_METHOD else [*problems, f"`resources/templates/list` fails: {error}"]
    return [*problems, *filter(None, [templates.flaw]), *_lacking(templates.items, "uriTemplate", "a template")]


async def _read(subject: ServerSubject) -> list[str]:
    uris = (await subject.listing(RESOURCES)).named("uri")
    if not uris:
        raise NotChecked("there is none")
    result = await subject.ask("resources/read", {"uri": uris[0]})
    contents = result.get("contents") if isinstance(result, dict) else None
    if not isinstance(contents, list):
        return [f"{uris[0]}: the answer has no list `contents`"]
    return [f"{uris[0]}: {flaw}" for each in contents for flaw in _content_flaws(each)]


def _content_flaws(content: Any) -> Iterator[str]:
    if not isinstance(content, dict) or not isinstance(content.get("uri"), str):
        yield "a part has no `uri`"
    elif not isinstance(content.get("text"), str) and not isinstance(content.get("blob"), str):
        yield "a part has neither `text` nor `blob`"


async def _unknown_resource(subject: ServerSubject) -> list[str]:
    await subject.listing(RESOURCES)
    found = await subject.refusal("resources/read", {"uri": _NOWHERE})
    is_content = isinstance(found, dict) and bool(found.get("contents"))
    return [f"{_NOWHERE} has contents"] if is_content else []


async def _completion(subject: ServerSubject) -> list[str]:
    if "completions" not in subject.capabilities:
        raise NotChecked("it announces no completions")
    reference, argument = await _completed(subject)
    params = {"ref": reference, "argument": {"name": argument, "value": ""}}
    result = await subject.ask("completion/complete", params)
    values = result.get("completion", {}).get("values") if isinstance(result, dict) else None
    if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
        return ["the answer has no list `completion.values` of texts"]
    return [f"there are {len(values)} values: clients take {_MOST_VALUES}"] if len(values) > _MOST_VALUES else []


async def _completed(subject: ServerSubject) -> tuple[Mapping[str, str], str]:
    """The first argument of a prompt."""
    prompts = (await subject.listing(PROMPTS)).items
    for prompt in prompts:
        for each in prompt.get("arguments") or ():
            if isinstance(each, dict) and isinstance(each.get("name"), str):
                return {"type": "ref/prompt", "name": str(prompt.get("name"))}, each["name"]
    raise NotChecked("no prompt has an argument")


_NO_METHOD = -32601

CHECKS = (
    ServerCheck(PROMPT_LIST, "prompts and their arguments have names", _prompt_list),
    ServerCheck(UNKNOWN_PROMPT, "a prompt that does not exist is an error", _unknown_prompt),
    ServerCheck(RESOURCE_LIST, "resources and templates have addresses and names", _resource_list),
    ServerCheck(RESOURCE_READ, "the first resource can be read", _read),
    ServerCheck(UNKNOWN_RESOURCE, "a resource that does not exist has no contents", _unknown_resource),
    ServerCheck(COMPLETION, "arguments are completed", _completion),
)
