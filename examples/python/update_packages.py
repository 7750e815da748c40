"""Updates every installed package if it brings no program and no server; what does is left as it is."""

import pisces


def confirm(request: pisces.InstallRequest, asks: tuple[pisces.Verdict, ...]) -> pisces.Verdict:
    if request.card.of_kind("program") or request.card.of_kind("server"):
        return pisces.Verdict.deny("a person has to read it")
    return pisces.Verdict.allow("it is text only")


places = pisces.places_here()
for package in pisces.installed(places):
    try:
        now, changed = pisces.update(package.name, places, confirm)
    except pisces.PiscesError as error:
        print(f"{package.name}: {error}")
    else:
        print(f"{now.name} {now.version}", "updated" if changed else "unchanged")
