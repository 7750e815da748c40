"""An offline look for tricks in other people's packages. What it does not find is not proven to be absent."""
