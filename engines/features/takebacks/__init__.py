"""Players take their newest move back, at once or with the consent of the others. The core undoes the moves.

rules        what a player may take back, and whether or whom they have to ask
taking_back  requests, the answers of the others, and what the buttons are about
"""
