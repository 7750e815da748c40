// A stand-in: nothing in this workspace is ever run.
