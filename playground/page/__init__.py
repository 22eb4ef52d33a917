"""The page in the browser: its HTTP API, people's actions, and what people see."""
