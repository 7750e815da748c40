"""Vaults for secrets, one in each file: `open_vault(places)` returns None if it does not work on this machine."""
