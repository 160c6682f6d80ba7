"""Our own tools that only read, for every agent of Home Assistant: why, what comes, what is planned."""
