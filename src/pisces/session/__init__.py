"""Our own agent without a screen: a host, a model, the loop and a transcript."""
