"""The audit log: who loaded what, which gate said what about which call, which hook ran. JSON lines, one a record."""
