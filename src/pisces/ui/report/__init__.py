"""The page that `pisces report` writes: one HTML file with its style and pictures, and no request to anywhere."""
