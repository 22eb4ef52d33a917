"""Discord's behaviour: gateway and sessions, interactions, rate limits, faults on demand, and the request log."""
