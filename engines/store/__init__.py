"""What is kept of matches and messages: values, and the protocols that storage fulfils."""
