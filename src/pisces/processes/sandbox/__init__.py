"""A fence around a program: what it may read, write and reach. Said honestly where the system has none."""
