"""Every skill that an agent would have here: its name, what it is for, and its file."""

import pisces


def line(found: pisces.Found[pisces.Skill]) -> str:
    return f"{found.item.name}: {found.item.description} ({places.shown(found.item.path)})"


places = pisces.places_here()
skills = pisces.discover(pisces.SKILLS, places)
for found in skills.items:
    print(line(found))
for problem in skills.diagnostics:
    print("warning:", problem.message)
