"""What runs by itself here: every hook with its event, what it matches, its command and its place."""

import pisces

places = pisces.places_here()
for found in pisces.discover(pisces.HOOKS, places).items:
    hook: pisces.Hook = found.item
    print(f"{hook.event} on {hook.matcher or 'everything'}: {hook.command}")
    print(f"  {found.source.label}, {places.shown(hook.path)}, {'.'.join(map(str, hook.keys))}")
