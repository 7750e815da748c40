"""How a program is started: environment, limits, sandbox, terminal, and the end of its whole group."""
