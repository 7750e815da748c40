"""What trust in a workspace would cover: everything that the project brings and that runs by itself."""

from __future__ import annotations

from pisces.diagnostics import ERROR
from pisces.discovery.harness import Run, all_harnesses
from pisces.formats.masking import masked
from pisces.gates.workspace import covered_here
from pisces.modules.entries import module_entries
from pisces.scanning.acting import what_acts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.diagnostics import Diagnostic
    from pisces.gates.workspace import Covered
    from pisces.places import Places


def coverable(places: Places) -> tuple[tuple[Covered, ...], list[Diagnostic]]:
    """And what is dangerous about it."""
    acting = [each for each in what_acts(all_harnesses(), places, Run()) if not each.yours]
    covered = covered_here(module_entries(places), [each.act for each in acting], places)
    problems = [problem for each in acting for problem in each.problems if problem.severity == ERROR]
    return covered, [each.replace(message=masked(each.message)) for each in dict.fromkeys(problems)]
