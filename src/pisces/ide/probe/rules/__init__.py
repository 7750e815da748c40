"""Rules by topic. Each file exports `RULES`, in the order in which they are checked."""
