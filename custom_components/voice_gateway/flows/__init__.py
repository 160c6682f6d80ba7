"""Forms of the user interface, one file per subject."""
