"""Checks a package, prints what is wrong with it, and fails if there are errors. For CI."""

import sys

import pisces

places = pisces.places_here()
checked = pisces.check(sys.argv[1], places)
for found in checked.diagnostics:
    print(f"{places.shown(found.path)}:{found.line}: {found.severity} {found.code}: {found.message}")
for part in (part for target in checked.targets for part in target.components):
    loads = [verdict.harness for verdict in part.verdicts if verdict.loads]
    print(f"{part.kind} {part.name}: loads in {', '.join(loads) or 'no harness'}")
sys.exit(any(found.severity == "error" for found in checked.diagnostics))
