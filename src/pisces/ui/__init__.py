"""What people and programs see: text, JSON and SARIF. Data goes to stdout, everything else to stderr."""
