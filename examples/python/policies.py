"""The policy rules that are in force here, the strongest first."""

import pisces

places = pisces.places_here()
rules: list[pisces.PolicyRule] = [found.item for found in pisces.discover(pisces.POLICIES, places).items]
for rule in sorted(rules, key=lambda rule: rule.priority, reverse=True):
    about = f" where {rule.args_pattern}" if rule.args_pattern else ""
    print(f"{rule.decision} {rule.tool_name or 'every tool'}{about} ({places.shown(rule.path)})")
