"""The text that harnesses put before every prompt in this folder, and who reads each file."""

import pisces

places = pisces.places_here()
readers: dict[pisces.ContextFile, list[str]] = {}
for each in pisces.discover(pisces.CONTEXT_FILES, places).all:
    readers.setdefault(each.found.item, []).append(each.found.source.label)
for file, labels in readers.items():
    print(f"{places.shown(file.path)} ({file.scope}): {', '.join(labels)}")
