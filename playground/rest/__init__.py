"""Discord's REST API as the playground answers it: routes and their handlers."""
