"""What is there, for every harness: who brings it, which one wins, and what is wrong with it."""
