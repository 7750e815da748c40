"""One kind of source a file: `fetch(source, errand) -> Fetched` and `newest(source, old, places) -> Newest`."""
