"""Lists the slash commands here, and turns `/name arguments` into the prompt that a model gets."""

import sys

import pisces


def confirm(request: pisces.LineRequest, asks: tuple[pisces.Verdict, ...]) -> pisces.Verdict:
    print(f"{request.command} wants to run: {request.exact}")
    if request.exact.startswith("echo "):
        return pisces.Verdict.allow("echo is harmless")
    return pisces.Verdict.deny("only echo may run")


places = pisces.places_here()
commands = pisces.catalog(places)
for entry in commands.entries:
    command: pisces.Command = entry.command
    print(f"/{entry.name}: {command.description} ({entry.origin})")
print(pisces.expand(sys.argv[1], places, confirm, commands).text)
