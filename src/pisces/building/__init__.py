"""One repository, shipped for every harness: targets, one version, overlays, archives and branches, from one file."""
