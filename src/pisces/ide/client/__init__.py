"""The agent's side of the companion: connects to an editor, keeps its context, and shows it diffs."""
