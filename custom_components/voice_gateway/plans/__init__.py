"""Plans: deferred calls, reminders, timers and reverts, with their schedules and storage."""
