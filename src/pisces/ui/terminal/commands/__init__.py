"""The slash commands of the terminal program itself, one a file with `COMMAND`."""
