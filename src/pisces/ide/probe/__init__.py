"""Rules that a companion keeps, one question each, asked of a running one."""
