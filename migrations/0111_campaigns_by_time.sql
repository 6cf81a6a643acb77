-- The calendar reads the campaigns of a month by the time when they started or will start.
create index concurrently broadcasts_time on broadcasts (workspace_id, (coalesce(started_at, scheduled_at)));
