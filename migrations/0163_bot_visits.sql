-- Where each chat with a bot came: one row for a session, kept for 30 days, also after the session.
create table bot_visits (
  -- The id of the session.
  id              uuid not null,
  bot_id          uuid not null,
  conversation_id uuid not null,
  -- The nodes that the chat reached, each once.
  nodes           text[] not null,
  -- The node of the last step; null if the bot ended after its last node.
  node            text,
  -- waiting: also after the session, if the customer left without an answer.
  state           text not null check (state in ('waiting', 'ended', 'handed_over')),
  started_at      timestamptz not null,
  updated_at      timestamptz not null
);
select tenant_table('bot_visits');
-- The visits of a bot by time; counts read only the index.
create index bot_visits_bot on bot_visits (workspace_id, bot_id, started_at, id);
create index bot_visits_conversation on bot_visits (workspace_id, conversation_id);
-- Old visits of all workspaces, to delete.
create index bot_visits_old on bot_visits (updated_at);
-- bears: the rows belong to the new table, and go with their bot
create trigger erase_visits after delete on bots referencing old table as erased
  for each statement execute function erase_dependents('bot_visits', 'bot_id');
-- bears: the rows belong to the new table, and go with their chat
create trigger erase_bot_visits after delete on conversations referencing old table as erased
  for each statement execute function erase_dependents('bot_visits', 'conversation_id');
-- bears: the rows belong to the new table, and follow their chat
create trigger merge_bot_visits after insert on merged_conversations referencing new table as merged
  for each statement execute function merge_dependents('bot_visits', 'conversation_id');
