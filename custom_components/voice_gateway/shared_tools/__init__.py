"""Our own tools that only read, for every agent of Home Assistant: causes, forecasts, plans."""
