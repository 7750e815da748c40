"""`tour.md`: the scenes of the tour, with every file that they need and what the model says.

A `##` begins a scene. Its blocks are `file PATH` (`~` is the throwaway home), `scene` (what is typed, what the model
answers, which keys answer the cards, and what must have been shown) and `shell` (commands of pisces, one a line).
"""

from __future__ import annotations

import json
import os
import re
import sys
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from pisces.models.scripted import scripted_answer
from pisces.value import EMPTY, Value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pisces.places import Places

_BLOCK = re.compile(r"^```(file|scene|shell) ?([^\n]*)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)


class TourScene(Value):
    """`line` is typed, then `keys` answer the questions in their order. `reads` shows what the model gets.

    `selects` are a file and what is selected in it. Without the tool that it `needs` a scene is left out. What is in
    `expect` must have been shown, else the tour failed.
    """

    title: str
    prose: str
    files: Mapping[str, str]
    line: str = ""
    answers: Sequence[Any] = ()  # of the model
    keys: str = ""
    reads: bool = False
    needs: str = ""
    selects: Sequence[str] = ()
    expect: Sequence[str] = ()
    shell: Sequence[str] = ()


class TourScript(Value):
    title: str
    prose: str
    scenes: tuple[TourScene, ...]


def tour_script() -> TourScript:
    text = (files("pisces.ui.tour") / "tour.md").read_text("utf-8").replace("\r\n", "\n")
    first, *rest = re.split(r"^##? ", text, flags=re.MULTILINE)[1:]
    title, _, prose = first.partition("\n")
    return TourScript(title, prose.strip(), tuple(map(_scene, rest)))


def _scene(text: str) -> TourScene:
    title, _, rest = text.partition("\n")
    given: dict[str, Any] = {}
    made: dict[str, str] = {}
    for kind, path, body in _BLOCK.findall(rest):
        if kind == "file":
            made[path] = body
        elif kind == "shell":
            given["shell"] = body.splitlines()
        else:
            given |= json.loads(body)
    answers = [scripted_answer(f"{title[:12]} {at}", each) for at, each in enumerate(given.pop("answers", ()))]
    return TourScene(title, _BLOCK.sub("", rest).strip(), made or EMPTY, answers=answers, **given)


def write_files(script: TourScript, places: Places) -> None:
    for path, text in ((path, text) for scene in script.scenes for path, text in scene.files.items()):
        file = places.absolute(path)
        os.makedirs(os.path.dirname(file), exist_ok=True)
        with open(file, "w", encoding="utf-8", newline="\n") as out:
            out.write(text.replace("@python@", sys.executable.replace("\\", "/")))
        if text.startswith("#!"):
            os.chmod(file, 0o755)
