"""The packages here, with the one that wins where two have the same name."""

import pisces


def title(package: pisces.Package) -> str:
    return f"{package.name} {package.version or 'without a version'}, {package.format}"


for each in pisces.discover(pisces.PACKAGES, pisces.places_here()).all:
    print(title(each.found.item), each.state)
