-- A snoozed chat leaves the lists of open chats until a time, until its customer writes, or until a teammate ends the snooze.
-- Null in snoozed_at: not snoozed. snoozed_until is in the workspace's time; null: only the customer's message ends it.
alter table conversations add column snoozed_at timestamptz;
alter table conversations add column snoozed_until timestamptz;
alter table conversations add column snoozed_until_reply boolean not null default false;
-- When a snooze last ended at its time.
alter table conversations add column snooze_ended_at timestamptz;

-- A chat that goes on with another, unresolved one stays in the lists if either of them was there.
create function merge_snoozes() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_ids uuid[];
  row_kept_ids uuid[];
begin
  select array_agg(workspace_id), array_agg(id), array_agg(kept_id)
  into row_workspaces, row_ids, row_kept_ids
  from merged;
  if row_workspaces is null then return null; end if;
  update conversations k set snoozed_at = null, snoozed_until = null, snoozed_until_reply = false
  from unnest(row_workspaces, row_ids, row_kept_ids) as merged (workspace_id, id, kept_id)
  join conversations gone on gone.workspace_id = merged.workspace_id and gone.id = merged.id
  where k.workspace_id = merged.workspace_id and k.id = merged.kept_id and k.snoozed_at is not null
    and gone.state <> 'resolved' and gone.snoozed_at is null;
  return null;
end
$$;
-- bears: it changes only chats that a later version snoozed
create trigger merge_snoozes after insert on merged_conversations referencing new table as merged
  for each statement execute function merge_snoozes();
