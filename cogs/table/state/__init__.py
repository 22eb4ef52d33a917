"""What is stored about messages and players, cached; drawn pages; the server lease; and what one person may request."""
