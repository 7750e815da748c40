"""`scripts/soak plugins [WORD...]`: every plugin below PISCES_CLAUDE_PLUGINS, a line each, then the totals.

With words, only plugins whose folder has one of them in its name, and all faults in full. Any fault is status 1.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import traceback
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.conformance.plugins.claude_view import claude_view
from tests.conformance.plugins.gemini_view import why_missing
from tests.conformance.plugins.judge import judged, plugins_in
from tests.conformance.plugins.judgement import Judgement, table

FEW = 5  # faults that are shown of each plugin when all are judged
WIDTH = 300


def main(words: list[str]) -> int:
    missing = why_missing()
    if missing:
        print(missing)
        return 2
    root = Path(os.environ["PISCES_CLAUDE_PLUGINS"])
    chosen = [each for each in plugins_in(root) if not words or any(word in str(each) for word in words)]
    found = []
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for judgement in pool.map(_judged, chosen, [each.relative_to(root).as_posix() for each in chosen]):
            found.append(judgement)
            print(judgement.line, flush=True)
            for fault in judgement.faults if words else judgement.faults[:FEW]:
                print(f"      {fault}" if words else f"      {fault[:WIDTH]}", flush=True)
    print(table(found))
    return int(any(each.faults for each in found))


def _judged(plugin: Path, name: str) -> Judgement:
    scratch = Path(tempfile.mkdtemp(prefix="plugin-"))
    try:
        return judged(plugin, scratch, name, claude_view)
    except Exception:  # noqa: BLE001 - a judge that fails over one plugin says so and judges the others
        return Judgement(name, faults=[traceback.format_exc()])
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
