"""What is due for a match and when: calls, reminders, deadlines, and the time banks behind them."""
