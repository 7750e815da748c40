"""Which model answers: the one that was named, else that of the settings, else the first whose key is there, else the
first server on this machine.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from pisces.by_name import export_of
from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.models.addresses import check_key_is_safe, checked_address
from pisces.models.keys import key_in, key_printed_by, missing_key
from pisces.models.known_models import facts_of
from pisces.models.late import LateModel
from pisces.models.model import HttpModel, Model, ModelFacts
from pisces.models.providers import (
    ALIASES,
    BEARERS,
    LOCAL,
    PROVIDERS,
    THROUGH_PYDANTIC_AI,
    ModelProvider,
    first_set,
    provider_called,
    provider_of,
)
from pisces.models.settings import ModelEntry, ModelSettings, settings_of_user
from pisces.value import EMPTY, Value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.models.local_servers import RunningServer
    from pisces.models.providers import LocalServer
    from pisces.places import Places

UNKNOWN_MODEL = Rule("unknown-model", ERROR, "A model was named that nobody knows")

PYDANTIC_AI = "pydantic_ai"
_CHAT = "openai_chat"
_SCRIPTED = "scripted/"  # a file with answers, for tests and the tour
_HTTP = "httpx2"
_PATIENCE = 2.0  # seconds for a server that was named


class ModelChoice(Value):
    """A model and how it is reached. `why` says who chose it. `wire` is the file of a wire format, or PYDANTIC_AI.

    The key is in `key_env`, or `key_command` prints it; without either none is sent.
    """

    facts: ModelFacts
    wire: str
    url: str = ""
    why: str = ""
    key_env: str = ""
    key_command: tuple[str, ...] = ()
    headers: Mapping[str, str] = EMPTY
    allows_plain_http: bool = False


def chosen_model(wanted: str, places: Places, project: str = "") -> Model | None:
    """None where nothing was named and no key and no server is there. Raises `PiscesError` for a name that nobody knows
    and for one without a key.
    """
    if wanted.startswith(_SCRIPTED):
        scripted: Model = export_of("pisces.models", "scripted", "model_of_script")(wanted[len(_SCRIPTED) :], places)
        return scripted
    choice = choice_of(wanted, places, project)
    return None if choice is None else model_of(choice, places)


def choice_of(wanted: str, places: Places, project: str = "") -> ModelChoice | None:
    """`wanted` is `provider/model`, a provider, a model, an alias or the name of an entry in the user's settings.

    `project` is the name that a trusted project asks for: it counts before the user's `model`, and only if it is the
    name of one of the user's entries.
    """
    settings = settings_of_user(places)
    if wanted:
        return named(wanted, places, settings).replace(why="it was named")
    entry = settings.entry(project) if project else None
    if entry is not None:
        return _of_entry(entry, places).replace(why="the project asks for it, and your `config.yml` has it")
    broken = settings.problem("")
    if broken is not None:  # it may have said which model; another one would get the conversation
        raise PiscesError(broken)
    if settings.model:
        return named(settings.model, places, settings).replace(why="`model` in your `config.yml`")
    return _by_key(places) or _by_server(places)


def named(wanted: str, places: Places, settings: ModelSettings) -> ModelChoice:
    """Raises `PiscesError` where nobody is called so, and where a key is missing."""
    broken = settings.problem(wanted)
    if broken is not None:
        raise PiscesError(broken)
    entry = settings.entry(wanted)
    return _known(wanted, places) if entry is None else _of_entry(entry, places)


def _of_entry(entry: ModelEntry, places: Places) -> ModelChoice:
    if not entry.url:
        return _known(entry.model, places)
    return ModelChoice(
        entry.facts,
        entry.wire,
        checked_address(entry.url, entry.name, "`url` of its entry in `models` of your `config.yml`"),
        "",
        entry.key_env,
        entry.key_command,
        entry.headers,
        entry.allows_plain_http,
    )


def _known(wanted: str, places: Places) -> ModelChoice:
    wanted = ALIASES.get(wanted, wanted)
    name, _, model = wanted.partition("/")
    provider = provider_called(name)
    if provider is not None:
        return _of_provider(provider, model or provider.default, places)
    server = next((each for each in LOCAL if each.id == name), None)
    if server is not None:
        return _of_server(server, model, places)
    if name in THROUGH_PYDANTIC_AI and model:
        return ModelChoice(ModelFacts(model, name, PYDANTIC_AI), PYDANTIC_AI)
    owner = provider_of(wanted)
    if owner is not None:
        return _of_provider(owner, wanted, places)
    raise _unknown(wanted, places)


def _of_provider(provider: ModelProvider, model: str, places: Places) -> ModelChoice:
    key = first_set(provider.keys, places)
    if not key:
        raise missing_key(provider.id, provider.keys)
    return _reached(provider, model, key, places)


def _reached(provider: ModelProvider, model: str, key: str, places: Places) -> ModelChoice:
    variable = first_set(provider.urls, places)
    url = provider.url
    if variable:
        url = checked_address(places.env[variable].strip(), provider.id, f"`{variable}` is set to it")
    wire = provider.wire_at(url)
    return ModelChoice(facts_of(model, provider.id, wire), wire, url, "", key)


def _of_server(server: LocalServer, model: str, places: Places) -> ModelChoice:
    """A server that is named needs not be on this machine: `OLLAMA_HOST` says where."""
    if not model:
        found = export_of("pisces.models", "local_servers", "running_servers")(places, (server,), _PATIENCE)
        if not found:
            hint = f"start it, or say where it is and which model: `{server.id}/MODEL`"
            raise PiscesError(UNKNOWN_MODEL.at("", f"`{server.id}` does not answer on this machine", hint=hint))
        return _of_running(found[0])
    given = export_of("pisces.models", "local_servers", "address_of")(server, places)
    url = checked_address(given, server.id, f"`{server.variable}` is set to it")
    return ModelChoice(ModelFacts(model, server.id, _CHAT), _CHAT, url)


def _of_running(server: RunningServer) -> ModelChoice:
    model = server.models[0]
    return ModelChoice(ModelFacts(model, server.id, _CHAT, server.windows.get(model, 0)), _CHAT, server.url)


def _by_key(places: Places) -> ModelChoice | None:
    for each in PROVIDERS:
        key = first_set(each.keys, places)
        if key:
            return _reached(each, each.default, key, places).replace(why=f"`{key}` is set")
    return None


def _by_server(places: Places) -> ModelChoice | None:
    servers = export_of("pisces.models", "local_servers", "running_servers")(places)
    return _of_running(servers[0]).replace(why="it answers on this machine") if servers else None


def _unknown(wanted: str, places: Places) -> PiscesError:
    settings = settings_of_user(places)
    names = [*(each.name for each in settings.entries), *(each.id for each in PROVIDERS)]
    hint = f"`provider/model`; providers are {', '.join(names)}; `pisces models` lists more"
    return PiscesError(UNKNOWN_MODEL.at("", f"nobody is known as `{wanted}`", hint=hint))


def model_of(choice: ModelChoice, places: Places) -> Model:
    """Nothing is imported for it and nothing is asked before the first request. Raises `PiscesError` where the key
    must not be sent, and `ModuleNotFoundError` where what speaks to models is not installed.
    """
    who = choice.facts.provider
    if choice.wire == PYDANTIC_AI:
        if find_spec(PYDANTIC_AI) is None:
            hint = "pip install 'pisces-agent[agent,pydantic-ai]', and the SDK of the provider"
            raise PiscesError(UNKNOWN_MODEL.at("", f"`{who}` needs pydantic-ai, which is not installed", hint=hint))
        return LateModel(choice.facts, lambda: _through_pydantic_ai(choice.facts))
    if find_spec(_HTTP) is None:
        raise ModuleNotFoundError(f"No module named {_HTTP!r}", name=_HTTP)
    key = key_in(choice.key_env, places, who) if choice.key_env else ""
    if choice.key_env and not key:
        raise missing_key(who, (choice.key_env,))
    if (key or choice.key_command or choice.headers) and not choice.allows_plain_http:
        check_key_is_safe(choice.url, who)

    async def make() -> Model:
        printed = await key_printed_by(choice.key_command, places, who) if choice.key_command else key
        sender = export_of("pisces.models", "sending", "Sender")()
        wire = export_of("pisces.models", choice.wire, "WIRE")
        if choice.key_env in BEARERS:
            wire = wire.replace(key_header="Authorization", key_format="Bearer {}")
        endpoint = export_of("pisces.models", "sending", "ModelEndpoint")(wire, choice.url, printed, choice.headers)
        return HttpModel(choice.facts, endpoint, sender)

    return LateModel(choice.facts, make)


async def _through_pydantic_ai(facts: ModelFacts) -> Model:
    made: Model = export_of("pisces.models", PYDANTIC_AI, "model_through_pydantic_ai")(facts)
    return made
