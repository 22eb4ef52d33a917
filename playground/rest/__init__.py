"""Discord's REST API as the playground implements it: routes and their handlers."""
