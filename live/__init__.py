"""What stand-ins for Discord can only claim is tried on Discord itself: `make live`."""
