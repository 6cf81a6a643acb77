-- The report of campaigns lists those that started in a period.
create index concurrently broadcasts_started on broadcasts (workspace_id, started_at) where started_at is not null;
