"""The context of an editor as the model may see it: newest first, one active file, no secrets, ten files, 16 Ki.

The order and the limits are Gemini CLI's. Leaving out private files is an addition.
"""

from __future__ import annotations

from pisces.formats.js_text import first_units
from pisces.ide.private_files import PRIVATE, is_private
from pisces.shapes.ide_context import MOST_FILES, MOST_SELECTED, IdeContext, OpenFile

TRUNCATED = "... [TRUNCATED]"
MOST_PATH = 4096  # characters; longer ones would only fill the model's context


def normalised(context: IdeContext, private: tuple[str, ...] = PRIVATE) -> IdeContext:
    """Only the newest file can be active."""
    newest_first = sorted(context.open_files, key=lambda file: -file.timestamp)
    files = [_limited(file) if at == 0 and file.is_active else _passive(file) for at, file in enumerate(newest_first)]
    shown = [file for file in files if len(file.path) <= MOST_PATH and not is_private(file.path, private)]
    return context.replace(open_files=tuple(shown[:MOST_FILES]))


def _passive(file: OpenFile) -> OpenFile:
    return file.replace(is_active=False, cursor=None, selected_text="")


def _limited(file: OpenFile) -> OpenFile:
    start = first_units(file.selected_text, MOST_SELECTED, "surrogatepass")
    return file if start == file.selected_text else file.replace(selected_text=start + TRUNCATED)
