"""One template a file: each exports `TEMPLATE`."""
