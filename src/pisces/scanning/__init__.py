"""An offline scan for malicious content in packages. No findings are no proof of safety."""
