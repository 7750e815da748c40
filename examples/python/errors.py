"""What cannot be done is a PiscesError, and its diagnostic says where and what to do about it."""

import sys

import pisces


def shown(found: pisces.Diagnostic) -> str:
    place = f"{found.path}:{found.line or 1}: " if found.path else ""
    return f"{place}{found.severity} [{found.code}] {found.message}\n  hint: {found.hint or 'none'}"


for line in sys.argv[1:]:
    try:
        print(pisces.expand(line, pisces.places_here()).text)
    except pisces.PiscesError as error:
        print(shown(error.diagnostic))
