"""The workspace of a program, and the hooks that fire there, without a host around them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pisces.gates.hooks.dialect import LoadedHook
from pisces.gates.hooks.found_hooks import found_hooks
from pisces.gates.trusted import Trust
from pisces.places import Places
from pisces.shapes.session_facts import SessionFacts
from tests.hook_cases.session import Program
from tests.hook_cases.workspace import Folders, case_folders, child_environment


class BareCase:
    """Nothing is read from this machine but what is in `root`."""

    def __init__(
        self, program: Callable[[Mapping[str, Any], Folders], Program], config: Mapping[str, Any], root: Path
    ) -> None:
        folders = case_folders(root)
        self.home, self.work = folders.home, folders.work
        made = program(folders.filled(config), folders)
        made.write()
        self._options = made.options()
        self.places = Places(str(self.home), str(self.work), child_environment(folders, {}))

    @property
    def trust(self) -> Trust:
        is_trusted = self._options["trust_workspace"]
        return Trust().including_for_this_run(str(self.work)) if is_trusted else Trust()

    def facts(self) -> SessionFacts:
        place = str(self.work), str(self.work), str(self.home)
        options = self._options
        trusted = options["trust_workspace"]
        return SessionFacts(*place, mode=options["mode"], is_interactive=options["is_interactive"], is_trusted=trusted)

    def hooks(self) -> tuple[LoadedHook, ...]:
        return found_hooks(self.places, self.trust).loaded
