"""A package of one program as a package of another, with what became of every part."""

from __future__ import annotations

from pisces.converting.convert import Converted, ConvertRequest, convert as convert_package
from pisces.converting.output import apply, mended, planned, refuse_output
from pisces.places import Places


def convert(source: str, target: str, places: Places, out: str = "") -> Converted:
    """Converts the package in a folder to `gemini`, `claude`, `codex` and so on. With `out` its files are written.

    `fates` of the result say for each item and field what became of it; `files` are what is written, all or none, into
    a folder that is empty, not there yet, or written by an earlier conversion. Raises `PiscesError` if the source is no
    package, the target is unknown, or the folder is somebody else's. Runs, imports and fetches nothing.
    """
    made = convert_package(ConvertRequest(source, target), places)
    if out:
        folder = places.absolute(out)
        mended(folder)
        plan = planned(made.files, made.folder, folder)
        refuse_output(plan, made.folder, folder)
        apply(plan, folder)
    return made
