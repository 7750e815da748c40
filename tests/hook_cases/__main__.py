"""`./scripts/hook-cases FILE`: every case of a file through Host, a JSON line each, and a summary at the end.

Exit 1 if a case is looser than the real program, or could not be run.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from tests.hook_cases.page import write_page
from tests.hook_cases.run_case import run_case


def main(paths: list[str]) -> int:
    writes_page = "--page" in paths
    paths = [path for path in paths if path != "--page"]
    if not paths:
        print("usage: scripts/hook-cases FILE [ID ...]", file=sys.stderr)
        return 2
    rows = [json.loads(line) for line in Path(paths[0]).read_text("utf-8").splitlines() if line.strip()]
    rows = [row for row in rows if not paths[1:] or row["id"] in paths[1:]]
    results: list[dict[str, Any]] = []
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for result in pool.map(run_case, rows):
            results.append(result)
            print(json.dumps(result, ensure_ascii=False), flush=True)
    print(json.dumps({"summary": _summary(results)}))
    if writes_page:
        write_page(results)
    return int(any(result["compared"] in ("looser", "another input") for result in results))


def _summary(results: list[dict[str, Any]]) -> dict[str, Any]:
    counts = Counter(result["compared"] for result in results)
    spoken = [result for result in results if "is_told_the_same" in result]
    same = sum(result["is_told_the_same"] for result in spoken)
    told = {
        "told_the_same": f"{same} of {len(spoken)}",
        "told_by_a_rule": sum(bool(each["told_by"]) for each in spoken),
    }
    return {"cases": len(results), **dict(sorted(counts.items())), **told}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
