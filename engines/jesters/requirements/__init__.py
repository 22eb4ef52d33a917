"""What a Performance asks of the dice: its forms, whether it is met, exact chances, and the best reroll."""
