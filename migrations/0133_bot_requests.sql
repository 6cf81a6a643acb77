-- Values of the headers of a version's requests: sealed JSON, {node: [{name, value}]}. Null: none.
alter table bot_versions add column headers_sealed bytea;
-- Messages that arrived while the bot waits for the answer to a request, in order: [{text, option}].
alter table bot_sessions add column pending jsonb not null default '[]';

-- Requests of bots: the result of each, without its content.
create table bot_requests (
  id              uuid not null,
  bot_id          uuid not null,
  version         integer not null,
  node            text not null,
  conversation_id uuid not null,
  method          text not null,
  -- Scheme, host, and port.
  origin          text not null,
  attempts        integer not null,
  -- The status of the answer; null without an answer.
  status          integer,
  -- Milliseconds of all attempts.
  duration_ms     integer not null,
  -- Why it failed; null if it succeeded.
  error           text,
  created_at      timestamptz not null
);
select tenant_table('bot_requests');
create index bot_requests_bot on bot_requests (workspace_id, bot_id, id);
create index bot_requests_conversation on bot_requests (workspace_id, conversation_id);
-- bears: the rows belong to the new table, and go with their bot
create trigger erase_requests after delete on bots referencing old table as erased
  for each statement execute function erase_dependents('bot_requests', 'bot_id');
-- bears: the rows belong to the new table, and go with their chat
create trigger erase_bot_requests after delete on conversations referencing old table as erased
  for each statement execute function erase_dependents('bot_requests', 'conversation_id');
-- bears: the rows belong to the new table, and follow their chat
create trigger merge_bot_requests after insert on merged_conversations referencing new table as merged
  for each statement execute function merge_dependents('bot_requests', 'conversation_id');
