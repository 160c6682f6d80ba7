"""Names as people say them; pure, so that the Z-Wave server can use it too."""
