"""What Gemini CLI 0.61 does with a package, rule by rule, as recorded in docs/conformance.md."""
