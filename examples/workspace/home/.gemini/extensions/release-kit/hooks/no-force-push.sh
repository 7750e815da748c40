#!/bin/sh
# Refuses a forced push to the main branch.
grep -q -- "push --force" && exit 2 || exit 0
