"""Players take their newest move back, at once or with the consent of the others. The core undoes the moves.

free_moves   whether the others need not be asked
rules        what a player may take back, and whom they have to ask
stamps       what the buttons are about
taking_back  requests, and the answers of the others
feature      what the table's core calls
"""
