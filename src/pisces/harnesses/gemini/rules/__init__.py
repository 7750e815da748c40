"""The policies of Gemini CLI, as they judge a call: rules from files, settings and packages, in one order."""
