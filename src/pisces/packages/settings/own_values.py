"""The values that a package's own program gets.

Only the folder of the installed package gets the stored values. Another folder with the same name gets the defaults.
"""

from __future__ import annotations

import os

from pisces.packages.settings.answers import default_text
from pisces.packages.settings.values import Values, environment
from pisces.packages.store.acts import values_in
from pisces.packages.store.store import own_store, read_index

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.packages.settings.settings import Setting
    from pisces.places import Places


def own_values(name: str, folder: str, settings: Sequence[Setting], places: Places) -> dict[str, str]:
    installed = read_index(own_store(places)).get(name)
    if installed is not None and os.path.realpath(installed.folder) == os.path.realpath(folder):
        return environment(Values(name, places).read(settings))
    texts = {each.env_var: default_text(each) for each in settings}
    defaults = {variable: text for variable, text in texts.items() if text is not None}
    return {**defaults, **values_in(folder, settings, places)}
