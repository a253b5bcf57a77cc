"""How the engines of sowing games compare with others: `make yardsticks`."""
