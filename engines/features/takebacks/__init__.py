"""Players take their newest move back, at once or with the consent of the others. The core undoes the moves.

free_moves   whether the others need not be asked
rules        what a player may take back, and whom they have to ask
taking_back  requests, the answers of the others, and what the buttons are about
"""
