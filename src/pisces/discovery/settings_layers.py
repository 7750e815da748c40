"""The settings files of a harness, strongest first, and the switches in them."""

from __future__ import annotations

from pisces.discovery.config_file import ConfigFile, config_at
from pisces.discovery.state import OFF, State, switched
from pisces.formats.wildcard import wildcard_matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pisces.discovery.harness import Run


class SettingsLayers:
    """Files that are not there or cannot be read have no say."""

    def __init__(self, places: Iterable[tuple[str, str]], run: Run) -> None:
        read = [config_at(path, syntax, run) for path, syntax in places]
        self.files = [file for file in read if isinstance(file, ConfigFile) and isinstance(file.value, dict)]

    def decided(self, *keys: str) -> tuple[object, ConfigFile] | None:
        """The value of the strongest file that has the key."""
        return next(self.said(*keys), None)

    def said(self, *keys: str) -> Iterator[tuple[object, ConfigFile]]:
        """What each file that has the key says."""
        for file in self.files:
            value = file.part(keys)
            if value is not None:
                yield value, file

    def off_if(self, wanted: object, *keys: str) -> State | None:
        """Off where the strongest file that has the key says `wanted`, which is true or false."""
        value, file = self.decided(*keys) or (None, None)
        if value is not wanted or file is None:
            return None
        word, other = ("true", "false") if wanted is True else ("false", "true")
        return switched(OFF, f"`{'.'.join(keys)}` is {word}", file, keys, f"set it to {other}")

    def off_if_listed(self, keys: tuple[str, ...], name: str) -> State | None:
        """Off where the list of the strongest file that has one names it; `*` stands for anything."""
        value, file = self.decided(*keys) or ([], None)
        return off_in_list(value, file, keys, name) if file else None

    def off_if_listed_anywhere(self, keys: tuple[str, ...], name: str) -> State | None:
        """Off where any file's list names it."""
        states = (off_in_list(value, file, keys, name) for value, file in self.said(*keys))
        return next(filter(None, states), None)


def off_in_list(listed: object, file: ConfigFile, keys: tuple[str, ...], name: str) -> State | None:
    for index, each in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(each, str) and (each == name or ("*" in each and wildcard_matches(each, name))):
            return switched(OFF, f"`{'.'.join(keys)}` names `{each}`", file, (*keys, index), "remove it there")
    return None
