"""What was looked for to find a model, and what was there: one row for each provider, server and entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.diagnostics import PiscesError
from pisces.formats.no_secrets import safe_address
from pisces.models.choosing import choice_of
from pisces.models.local_servers import address_of, running_servers
from pisces.models.providers import LOCAL, PROVIDERS, first_set
from pisces.models.settings import settings_of_user, unknown_project_model
from pisces.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.diagnostics import Diagnostic
    from pisces.models.choosing import ModelChoice
    from pisces.models.settings import ModelEntry, ModelSettings
    from pisces.places import Places

PROVIDER, SERVER, ENTRY = "provider", "server", "entry"


class LookedFor(Value):
    """`kind` is PROVIDER, SERVER or ENTRY. `found` says what is there, `missing` what is not; one of them is empty."""

    kind: str
    name: str
    model: str
    found: str = ""
    missing: str = ""
    url: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "name": self.name,
            "model": self.model or None,
            "usable": not self.missing,
            "found": self.found or None,
            "missing": self.missing or None,
            "url": self.url or None,
        }


class Looked(Value):
    """`choice` is what would be used; without one, `problem` may say why."""

    rows: tuple[LookedFor, ...]
    choice: ModelChoice | None = None
    problem: Diagnostic | None = None
    diagnostics: tuple[Diagnostic, ...] = ()


def looked(wanted: str, places: Places, project: str = "") -> Looked:
    """Asks nobody but servers on this machine, and shows no key."""
    settings = settings_of_user(places)
    rows = (*_entries(settings, places), *_providers(places), *_servers(places))
    ignored = unknown_project_model(project, settings, places)
    wrong = (*settings.diagnostics, *((ignored,) if ignored else ()))
    try:
        return Looked(rows, choice_of(wanted, places, project), None, wrong)
    except PiscesError as error:
        others = tuple(each for each in wrong if each != error.diagnostic)
        return Looked(rows, None, error.diagnostic, others)


def _entries(settings: ModelSettings, places: Places) -> Iterator[LookedFor]:
    for each in settings.entries:
        missing = _missing_of(each, places)
        yield LookedFor(ENTRY, each.name, each.model, "" if missing else "in config.yml", missing, _shown(each.url))


def _missing_of(entry: ModelEntry, places: Places) -> str:
    is_set = not entry.key_env or places.env.get(entry.key_env, "").strip()
    return "" if is_set else f"{entry.key_env} is not set"


def _providers(places: Places) -> Iterator[LookedFor]:
    for each in PROVIDERS:
        key, address = first_set(each.keys, places), first_set(each.urls, places)
        url = places.env[address].strip() if address else each.url
        found = f"{key} is set" if key else ""
        missing = "" if key else f"{' or '.join(each.keys)} is not set"
        yield LookedFor(PROVIDER, each.id, each.default, found, missing, _shown(url))


def _servers(places: Places) -> Iterator[LookedFor]:
    running = {each.id: each for each in running_servers(places)}
    for each in LOCAL:
        url = _shown(address_of(each, places))
        if each.id in running:
            models = running[each.id].models
            yield LookedFor(SERVER, each.id, models[0], f"answers, with {len(models)} models", "", url)
        else:
            yield LookedFor(SERVER, each.id, "", "", "does not answer", url)


def _shown(url: str) -> str:
    """Without a name and a password: an address with one is refused where it is used."""
    start, mark, rest = safe_address(url).partition("://")
    host, slash, path = rest.partition("/")
    return f"{start}{mark}{host.rpartition('@')[2]}{slash}{path}"
