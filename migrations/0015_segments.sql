-- Saved segments, what people were sent for marketing, and the log of who did what.

create table segments (
  id         uuid not null,
  name       text not null,
  -- {tags, excludeTags, optInStatus, lastSeenWithinDays} or {contactIds} (docs/decisions/segments.md).
  definition jsonb not null,
  -- How many contacts it held when they were last counted, in the workspace's time; null: not counted yet.
  matched    bigint,
  matched_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
select tenant_table('segments');
create unique index segments_name on segments (workspace_id, lower(name));

-- When each person was last sent marketing templates: one narrow row a person, without an index to move. It is
-- written last in a transaction, after the messages, and so is erased last (docs/decisions/marketing-cap.md).
create table marketing_marks (
  contact_id uuid not null,
  -- Newest first, in the workspace's time.
  times      timestamptz[] not null
) with (fillfactor = 70);
select tenant_table('marketing_marks', 'contact_id');
create trigger erase_marketing_marks after delete on contacts referencing old table as erased
  for each statement execute function erase_dependents('marketing_marks', 'contact_id');

-- Who did what of consequence (docs/decisions/activity-log.md). Names ids, never customers.
create table activity_log (
  id         uuid not null,
  kind       text not null,
  -- Who: a key, a member, the command line, the platform itself.
  actor_kind text not null check (actor_kind in ('key', 'member', 'cli', 'platform')),
  actor_id   uuid,
  actor_name text,
  data       jsonb not null,
  created_at timestamptz not null
);
select tenant_table('activity_log');
create index activity_log_kind on activity_log (workspace_id, kind, id);
create index activity_log_actor on activity_log (workspace_id, actor_id, id);
create index activity_log_age on activity_log (created_at);
