"""The editor and the terminal, brought together: a companion server for editors, and the client of our agent."""
