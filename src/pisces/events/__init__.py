"""Values that walk past handlers: emitting them, time limits, and handlers that break."""
