"""`make bench`: measurements, printed in one run; never a test."""
