"""How fast the games are, beside OpenSpiel's C++ hearts driven from Python in the same run."""
