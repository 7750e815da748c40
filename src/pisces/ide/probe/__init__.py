"""Rules for companions, each checked against a running one."""
