"""The shell: one file a command, each exports `COMMAND` and is found by its name."""
