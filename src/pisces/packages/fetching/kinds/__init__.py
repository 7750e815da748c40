"""One file for each kind of source: `fetch(source, job) -> Fetched` and `newest(source, old, places) -> Newest`."""
