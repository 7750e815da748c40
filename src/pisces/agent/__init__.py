"""The agent's loop: functions over values, and the conversation that they make longer."""
