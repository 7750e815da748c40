"""Runs the comparisons and prints one table; exit code 0 whatever it says, unless `--assert` is given."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench import (
    against_gemini,
    against_omp,
    agent,
    agent_session,
    auditing,
    checking,
    commands,
    events,
    helping,
    hooks,
    host,
    ide,
    inventory,
    listing,
    mcp,
    modules,
    real_packages,
    resolving,
    scanners,
    serve,
    sidecar,
    terminal,
    values,
    whole_workspace,
    worker,
)
from bench.measure import Failed
from bench.result import Broken, Outcome, Result, Skipped, lines_of

COMPARISONS = {
    "helping": helping.compare,
    "listing": listing.compare,
    "inventory": inventory.compare,
    "real": real_packages.compare,
    "workspace": whole_workspace.compare,
    "gemini": against_gemini.compare,
    "omp": against_omp.compare,
    "checking": checking.compare,
    "commands": commands.compare,
    "resolving": resolving.compare,
    "scanners": scanners.compare,
    "worker": worker.compare,
    "values": values.compare,
    "auditing": auditing.compare,
    "events": events.compare,
    "hooks": hooks.compare,
    "host": host.compare,
    "mcp": mcp.compare,
    "serve": serve.compare,
    "modules": modules.compare,
    "sidecar": sidecar.compare,
    "ide": ide.compare,
    "agent": agent.compare,
    "session": agent_session.compare,
    "terminal": terminal.compare,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/bench", description="Ratios, all measured in this one run.")
    parser.add_argument("only", nargs="*", metavar="COMPARISON", help=f"of: {', '.join(COMPARISONS)}; default all")
    parser.add_argument("--rounds", type=int, default=21, help="more are steadier on a busy machine (default 21)")
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.add_argument("--assert", dest="strict", action="store_true", help="exit with 1 when a goal is not met")
    arguments = parser.parse_args()
    unknown = set(arguments.only) - set(COMPARISONS)
    if unknown:
        parser.error(f"no comparison is called {', '.join(sorted(unknown))}")
    outcomes = list(_outcomes(arguments.only or list(COMPARISONS), arguments.rounds))
    results = [each for each in outcomes if isinstance(each, Result)]
    broken = [each for each in outcomes if isinstance(each, Broken)]
    if arguments.json:
        skipped = [{"what": each.what, "why": each.why} for each in outcomes if isinstance(each, Skipped)]
        failed = [{"what": each.what, "why": each.why} for each in broken]
        print(
            json.dumps(
                {"results": [each.as_json() for each in results], "skipped": skipped, "broken": failed}, indent=2
            )
        )
    else:
        print("\n".join(lines_of(outcomes)))
    return 1 if broken or (arguments.strict and not all(each.is_met for each in results)) else 0


def _outcomes(names: list[str], rounds: int) -> Iterator[Outcome]:
    for name in names:
        print(f"measuring {name} ...", file=sys.stderr)
        with tempfile.TemporaryDirectory(prefix="pisces-bench-") as folder:
            try:
                yield from COMPARISONS[name](Path(folder), rounds)
            except Failed as error:
                yield Broken(name, str(error))


if __name__ == "__main__":
    sys.exit(main())
