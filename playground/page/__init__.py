"""The page in the browser: its HTTP API, what people do on it, and what they see."""
