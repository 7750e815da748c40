"""What the user's `config.yml` says of models: `model`, and `models` with an entry for each that pisces does not know.

Only that file says where a model is, what its key is and which headers are sent. A project's `settings.json` may have
`model`, the name of one of the user's entries, and nothing else of it is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.diagnostics import ERROR, WARNING, Diagnostic, Rule
from pisces.discovery.config_file import ConfigFile, config_at
from pisces.discovery.harness import Run
from pisces.discovery.own_switches import own_settings
from pisces.models.model import ModelFacts, Prices
from pisces.models.providers import WIRES
from pisces.value import EMPTY, Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from pisces.places import Places

MODEL_SETTINGS = Rule("model-settings", ERROR, "An entry of `models` in the user's settings cannot be used")
PROJECT_MODEL = Rule("project-model", WARNING, "A project asks for a model that the user's settings do not have")

_MODEL, _MODELS = "model", "models"
_MOST_DOLLARS = 1_000_000
_PRICES = ("input", "output", "cached", "stored")


class ModelEntry(Value):
    """One entry of `models`. `model` is the server's name of it; an entry without `url` is another name for `model`.

    The key is in the variable `key_env`, or `key_command` prints it. `allows_plain_http` sends it over plain HTTP to
    another machine.
    """

    name: str
    model: str
    wire: str = ""
    url: str = ""
    key_env: str = ""
    key_command: tuple[str, ...] = ()
    headers: Mapping[str, str] = EMPTY
    window: int = 0
    most_output: int = 0
    prices: Prices | None = None
    has_images: bool = True
    allows_plain_http: bool = False

    @property
    def facts(self) -> ModelFacts:
        return ModelFacts(self.model, self.name, self.wire, self.window, self.most_output, self.prices, self.has_images)


class ModelSettings(Value):
    """`model` is what the user wants if no flag says otherwise."""

    model: str = ""
    entries: tuple[ModelEntry, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    def entry(self, name: str) -> ModelEntry | None:
        return next((each for each in self.entries if each.name == name), None)

    def problem(self, name: str) -> Diagnostic | None:
        """What is wrong with an entry; with an empty name, with all of the file."""
        return next((each for each in self.diagnostics if each.about == name), None)


def settings_of_user(places: Places) -> ModelSettings:
    """An entry that cannot be used is a Diagnostic, the others count."""
    path, syntax = own_settings(places)[0]
    file = config_at(path, syntax, Run())
    if isinstance(file, Diagnostic):
        return ModelSettings(diagnostics=(file,))
    if file is None or file.value is None:
        return ModelSettings()
    if not isinstance(file.value, dict):
        return ModelSettings(diagnostics=(file.not_object(),))
    found = list(_entries(file))
    wrong = [each for each in found if isinstance(each, Diagnostic)]
    model = file.part((_MODEL,))
    if model is not None and not isinstance(model, str):
        wrong.append(MODEL_SETTINGS.at(path, "`model` is no text", place=file.place(_MODEL)))
    entries = tuple(each for each in found if isinstance(each, ModelEntry))
    return ModelSettings(model.strip() if isinstance(model, str) else "", entries, tuple(wrong))


def model_of_project(places: Places) -> str:
    """The name that the project asks for. Whoever uses it has made sure that the project is trusted."""
    path, syntax = own_settings(places)[1]
    file = config_at(path, syntax, Run())
    model = file.part((_MODEL,)) if isinstance(file, ConfigFile) else None
    return model.strip() if isinstance(model, str) else ""


def unknown_project_model(name: str, settings: ModelSettings, places: Places) -> Diagnostic | None:
    if not name or settings.entry(name) is not None:
        return None
    hint = "an entry of `models` in your own `config.yml`, with this name, says which model that is"
    return PROJECT_MODEL.at(own_settings(places)[1][0], f"the project asks for the model `{name}`", hint=hint)


def _entries(file: ConfigFile) -> Iterator[ModelEntry | Diagnostic]:
    listed = file.part((_MODELS,))
    if listed is None:
        return
    if not isinstance(listed, dict):
        hint = "write the name of each model as a key, and what it is below it"
        yield MODEL_SETTINGS.at(file.path, "`models` is no table", place=file.place(_MODELS), hint=hint)
        return
    for name, given in listed.items():
        try:
            yield _entry(str(name), given)
        except _Unusable as unusable:
            place = file.place(_MODELS, str(name))
            yield MODEL_SETTINGS.at(
                file.path, f"`{name}`: {unusable}", place=place, hint=unusable.hint, about=str(name)
            )


class _Unusable(Exception):
    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def _entry(name: str, given: Any) -> ModelEntry:
    if not isinstance(given, dict):
        raise _Unusable("the entry is no table")
    unknown = sorted(str(key) for key in given if key not in _FIELDS)
    if unknown:
        raise _Unusable(f"nobody knows `{unknown[0]}`", f"one of: {', '.join(_FIELDS)}")
    if "/" in name:
        raise _Unusable("a name has no `/`")
    if "model" not in given:
        raise _Unusable("`model` is missing", "the server's name of the model, or `provider/model` for another name")
    entry = ModelEntry(name, **{_FIELDS[key][0]: _FIELDS[key][1](key, value) for key, value in given.items()})
    if entry.url and not entry.wire:
        raise _Unusable("an entry with `url` needs `wire`", f"one of: {', '.join(WIRES)}")
    if not entry.url and (entry.wire or entry.headers or entry.key_env or entry.key_command):
        raise _Unusable("`wire`, `headers` and keys need `url`", "say where the server is")
    return entry


def _text(key: str, value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise _Unusable(f"`{key}` is no text")
    return value.strip()


def _wire(key: str, value: Any) -> str:
    if not isinstance(value, str) or value not in WIRES:
        raise _Unusable(f"`{key}` is no wire format", f"one of: {', '.join(WIRES)}")
    return WIRES[value]


def _count(key: str, value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise _Unusable(f"`{key}` is no number of tokens")
    return value


def _flag(key: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise _Unusable(f"`{key}` is neither true nor false")
    return value


def _words(key: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(each, str) and each for each in value):
        raise _Unusable(f"`{key}` is no list of words", "as in `[pass, show, my-key]`; no shell reads it")
    return tuple(value)


def _headers(key: str, value: Any) -> Mapping[str, str]:
    if not isinstance(value, dict) or not all(_is_header(name, each) for name, each in value.items()):
        raise _Unusable(f"`{key}` is no table of texts in one line of ASCII each")
    return dict(value)


def _is_header(name: Any, value: Any) -> bool:
    return all(isinstance(each, str) and each.isascii() and each.isprintable() for each in (name, value)) and name


def _prices(key: str, value: Any) -> Prices:
    """Dollars for a million tokens."""
    if not isinstance(value, dict) or not set(_PRICES[:2]) <= value.keys() <= set(_PRICES):
        raise _Unusable(f"`{key}` needs `input` and `output`", f"dollars for a million tokens: {', '.join(_PRICES)}")
    if not all(isinstance(each, int | float) and not isinstance(each, bool) for each in value.values()) or not all(
        0 <= each < _MOST_DOLLARS for each in value.values()
    ):
        raise _Unusable(f"`{key}` has something else than dollars")
    new, written, cached, stored = (float(value.get(name, 0)) for name in _PRICES)
    return Prices(new, written, cached, stored)


# The key in the file, the field, and what reads it.
_FIELDS: Mapping[str, tuple[str, Any]] = {
    "model": ("model", _text),
    "wire": ("wire", _wire),
    "url": ("url", _text),
    "key_env": ("key_env", _text),
    "key_command": ("key_command", _words),
    "headers": ("headers", _headers),
    "window": ("window", _count),
    "most_output": ("most_output", _count),
    "prices": ("prices", _prices),
    "images": ("has_images", _flag),
    "plain_http": ("allows_plain_http", _flag),
}
