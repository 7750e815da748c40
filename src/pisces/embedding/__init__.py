"""The functions of the front door: one call for each thing that a program which embeds pisces wants done.

Nothing here asks by itself. What has to be asked goes to the caller's `confirm`; without one it is denied.
"""
