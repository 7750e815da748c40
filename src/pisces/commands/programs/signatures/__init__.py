"""Signatures of programs: minisign's format, and a record of the key of each publisher."""
