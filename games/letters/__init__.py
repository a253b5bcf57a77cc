"""What letters of games say: made when they are about to go, from what the recipient may know."""
