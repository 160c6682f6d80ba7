"""Events of the home's calendars: added, moved and deleted by request."""
