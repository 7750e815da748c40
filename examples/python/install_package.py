"""Installs a package if its content is what was reviewed, lists what is installed, and removes it again."""

import sys

import pisces


def confirm(request: pisces.InstallRequest, asks: tuple[pisces.Verdict, ...]) -> pisces.Verdict:
    for line in request.card.lines:
        print(f"  {line.kind}: {line.text}")
    if request.card.hash in sys.argv[2:]:
        return pisces.Verdict.allow("this content was reviewed")
    return pisces.Verdict.deny(f"{request.card.hash} was not reviewed")


places = pisces.places_here()
outcome = pisces.install(sys.argv[1], places, confirm)
print(f"{outcome.package.name} {outcome.package.version} is installed")
print("installed:", [package.name for package in pisces.installed(places)])
pisces.uninstall(outcome.package.name, places)
print("installed:", [package.name for package in pisces.installed(places)])
