"""A package of one program as a package of another, and what was lost on the way."""

import sys

import pisces

made = pisces.convert(sys.argv[1], "claude", pisces.places_here(), "converted")
for each in made.fates:
    if each.is_loss:
        print(f"{each.kind}: {each.subject}: {each.why}")
print(f"{len(made.files)} files for {made.target}")
