"""Other people's code, loaded and run: Python in this process, TypeScript and JavaScript in a sidecar."""
