"""What looks dangerous in a folder. No findings are no proof of safety."""

import sys

import pisces

places = pisces.places_here()
scanned = pisces.scan(sys.argv[1], places)
for found in scanned.diagnostics:
    print(f"{places.shown(found.path)}:{found.line}: {found.severity}: {found.message}")
print(f"{scanned.files} files, {len(scanned.diagnostics)} findings, {len(scanned.waived)} waived")
