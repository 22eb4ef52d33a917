"""What is remembered about messages, cached and written through to the store; and which servers are ours."""
