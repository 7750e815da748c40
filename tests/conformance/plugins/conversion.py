"""A plugin, converted as `pisces convert` does it, and the same again into the same folder."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from pathlib import Path

from pisces.converting.convert import Converted, ConvertRequest, convert
from pisces.converting.output import apply, planned, written
from pisces.places import Places


@dataclass(frozen=True)
class Conversion:
    """`aborted` is the reason why there is no result. `second_run` names the files that a second run would change."""

    out: Path
    converted: Converted | None = None
    aborted: str = ""
    second_run: tuple[str, ...] = ()


def conversion(plugin: Path, target: str, out: Path) -> Conversion:
    places = Places(str(out.parent / "nobody"), str(out.parent))
    try:
        made = convert(ConvertRequest(str(plugin), target), places)
        apply(planned(made.files, made.folder, str(out)), str(out))
        again = convert(ConvertRequest(str(plugin), target), places)
        changed = tuple(each.path for each in written(planned(again.files, again.folder, str(out))))
    except Exception as error:  # noqa: BLE001 - whatever it is, it is an abort, and the others are judged all the same
        where = traceback.extract_tb(error.__traceback__)[-1]
        return Conversion(out, aborted=f"{type(error).__name__}: {error} ({Path(where.filename).name}:{where.lineno})")
    return Conversion(out, made, second_run=changed)
