"""Who signed a program: minisign's format, and a memory of which key belongs to which publisher."""
