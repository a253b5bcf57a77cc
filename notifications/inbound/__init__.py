"""Mail that comes in: read leniently, and taken for what it is."""
