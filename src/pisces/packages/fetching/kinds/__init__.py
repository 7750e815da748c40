"""One kind of source a file: `fetch(source, job) -> Fetched` and `newest(source, old, places) -> Newest`."""
