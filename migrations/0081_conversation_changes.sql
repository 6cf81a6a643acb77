-- Changes of a chat that its thread shows: assignment, state, priority, archive. `value` is the member, the state, or the
-- priority; `value_name` the member's name at that time.
create table conversation_changes (
  id              uuid not null,
  conversation_id uuid not null,
  action          text not null,
  value           text,
  value_name      text,
  -- The source of the change; null for Parley itself.
  source_kind     text,
  source_id       uuid,
  source_name     text,
  created_at      timestamptz not null
);
select tenant_table('conversation_changes');
create index conversation_changes_conversation on conversation_changes (workspace_id, conversation_id, id);
-- bears: the rows belong to the new table, and go with their chat
create trigger erase_changes after delete on conversations referencing old table as erased
  for each statement execute function erase_dependents('conversation_changes', 'conversation_id');
-- bears: the rows belong to the new table, and follow their chat
create trigger merge_changes after insert on merged_conversations referencing new table as merged
  for each statement execute function merge_dependents('conversation_changes', 'conversation_id');
