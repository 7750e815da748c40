"""What `/name` does: prompt files that are expanded, executables that are run, and which one a name means."""
