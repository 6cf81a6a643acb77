-- When an endpoint that keeps failing is next tried, in real time; null while it gets all that is due.
alter table webhook_endpoints add column probe_at timestamptz;
