"""Rules by topic: a file exports `RULES`, in the order in which they are asked."""
