"""What the model reads before the first prompt: context files, the skills and the subagents that it may use."""
