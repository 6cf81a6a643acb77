-- Saved segments, what people were sent for marketing, and the log of who did what.

create table segments (
  id         uuid not null,
  name       text not null,
  -- {tags, excludeTags, optInStatus, lastSeenWithinDays} or {contactIds} (docs/decisions/audiences.md).
  definition jsonb not null,
  -- How many contacts it held when it was last written, in the workspace's time; null: not counted yet.
  matched    bigint,
  matched_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
select tenant_table('segments');
create unique index segments_name on segments (workspace_id, lower(name));

-- A renamed tag means the same people in saved segments and in campaigns that may still look for theirs: while contacts
-- are gone through, some carry the one name and some the other, so both stand there (docs/decisions/tags.md).
create function segment_with_tag(segment jsonb, old_name text, new_name text, both_names boolean) returns jsonb
language sql immutable as $$
  select segment || coalesce(jsonb_object_agg(
    key, value - new_name - case when both_names then new_name else old_name end || jsonb_build_array(new_name)), '{}')
  from jsonb_each(segment) where key in ('tags', 'excludeTags') and value ? old_name
$$;
create function carry_tag_to_segments() returns trigger language plpgsql as $$
declare
  change tag_changes := case when tg_op = 'INSERT' then new else old end;
begin
  update segments set definition = segment_with_tag(definition, change.old_name, change.new_name, tg_op = 'INSERT')
  where workspace_id = change.workspace_id
    and (definition -> 'tags' ? change.old_name or definition -> 'excludeTags' ? change.old_name);
  update broadcasts set segment = segment_with_tag(segment, change.old_name, change.new_name, tg_op = 'INSERT')
  where workspace_id = change.workspace_id and status in ('draft', 'scheduled', 'running', 'paused')
    and (segment -> 'tags' ? change.old_name or segment -> 'excludeTags' ? change.old_name);
  return null;
end $$;
create trigger carry_tag_begun after insert on tag_changes
  for each row when (new.new_name is not null) execute function carry_tag_to_segments();
create trigger carry_tag_done after delete on tag_changes
  for each row when (old.new_name is not null) execute function carry_tag_to_segments();

-- When each person was last sent marketing templates: one narrow row a person, without an index to move. It is
-- written last in a transaction, after the messages, and so is erased last (docs/decisions/campaign-gates.md).
create table marketing_marks (
  contact_id uuid not null,
  -- Newest first, in the workspace's time.
  times      timestamptz[] not null
) with (fillfactor = 70);
select tenant_table('marketing_marks', 'contact_id');
create trigger erase_marketing_marks after delete on contacts referencing old table as erased
  for each statement execute function erase_dependents('marketing_marks', 'contact_id');

-- Who did what of consequence (docs/decisions/notices.md). Names ids, never customers.
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
