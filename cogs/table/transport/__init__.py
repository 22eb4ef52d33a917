"""Talking to Discord: replies to interactions, sending pages, rate limits, retries, outages, and background tasks."""
