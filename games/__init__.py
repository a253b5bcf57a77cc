"""Games: rules, log, services and pages."""
