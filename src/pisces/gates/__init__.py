"""May this go ahead? Trust, approvals and other judges of what is about to run."""
