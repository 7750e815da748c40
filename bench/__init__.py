"""How fast pisces is, as ratios measured in one run: `./scripts/bench`. Never a test: clocks differ, ratios less so."""
