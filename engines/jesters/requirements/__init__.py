"""The requirements of Performances: their forms, whether dice meet them, exact chances, and the best reroll."""
