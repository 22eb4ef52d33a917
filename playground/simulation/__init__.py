"""Discord's behaviour: gateway and sessions, interactions, rate limits, faults, and the request log."""
