"""What `pisces check` prints for programs."""

from __future__ import annotations

from pisces.checking.acceptance import acceptances
from pisces.checking.checked import CheckedTarget
from pisces.checking.fix import Fix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.cli._check_run import CheckRun


def json_of(run: CheckRun) -> dict[str, Any]:
    targets = [_target_json(target) for target in run.checked.targets]
    versions = {name: acceptance.version or None for name, acceptance in acceptances().items()}
    fixes = run.sifted.fixes
    found = [{**each.as_json(), "fix": _fix_json(fixes.get(each))} for each in run.sifted.diagnostics]
    suppressed = [each.as_json() for each in run.sifted.suppressed]
    about = {"suppressed": suppressed, "fixed": list(run.fixed), "versions": versions}
    return {"targets": targets, "diagnostics": found, **about}


def _fix_json(fix: Fix | None) -> dict[str, Any] | None:
    if fix is None:
        return None
    edits = [{"offset": each.start, "old": each.old, "new": each.new} for each in fix.edits]
    return {"title": fix.title, "safe": fix.safe, "edits": edits}


def _target_json(target: CheckedTarget) -> dict[str, Any]:
    return {
        "kind": target.kind,
        "path": target.path,
        "formats": list(target.formats),
        "components": [
            {
                "kind": each.kind,
                "name": each.name,
                "path": each.path,
                "hosts": {
                    verdict.harness: {"loads": verdict.loads, "reason": verdict.reason or None}
                    for verdict in each.verdicts
                },
            }
            for each in target.components
        ],
    }
