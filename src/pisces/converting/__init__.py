"""Packages of one harness, rewritten for another: read, converted without touching the disk, written, with every loss.

`reading` makes one neutral `Plugin` of a folder, a writer of the target makes files and fates of it, `output` puts
the files in place. All that is known of one program is in its folder: `plugin_reading` and `writing`.
"""
