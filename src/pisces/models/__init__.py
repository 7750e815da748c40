"""Language models behind one small interface: each wire format is a file with two pure functions."""
