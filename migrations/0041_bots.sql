-- Bots: what they are, each version of what they say, and the chats that they are in.

create table bots (
  id         uuid not null,
  name       text not null,
  enabled    boolean not null,
  -- The one that new sessions go by.
  version    integer not null,
  -- {keywords, newConversation, default}: which messages it answers by itself.
  entry      jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
select tenant_table('bots');
create trigger announce after insert or update or delete on bots
  for each row execute function announce_workspace_change();

-- A session goes on by the version that it began with; one that nobody goes by is deleted with the next change.
create table bot_versions (
  bot_id     uuid not null,
  version    integer not null,
  -- {idleMinutes, fallback, start, nodes}
  definition jsonb not null,
  created_at timestamptz not null
);
select tenant_table('bot_versions', 'bot_id, version');
create trigger erase_versions after delete on bots referencing old table as erased
  for each statement execute function erase_dependents('bot_versions', 'bot_id');

-- A chat is with one bot at a time.
create table bot_sessions (
  conversation_id uuid not null,
  -- Names it in what can be tapped.
  id              uuid not null,
  bot_id          uuid not null,
  version         integer not null,
  -- Where it waits for the customer.
  node            text not null,
  -- What the customer answered, by name.
  answers         jsonb not null,
  -- Messages in a row that it did not understand.
  misses          integer not null,
  -- Rises with each message that it took: an answer that comes late is known by it.
  step            integer not null,
  -- The menu that was answered last, and when: a second tap on it within moments is the same one.
  left_node       text,
  left_at         timestamptz,
  -- Answers that the assistant gave in it.
  ai_answers      integer not null,
  started_at      timestamptz not null,
  -- When it ends unless the customer writes, in real time.
  run_at          timestamptz not null,
  run_offset_ms   bigint
);
select tenant_table('bot_sessions', 'conversation_id');
create index bot_sessions_bot on bot_sessions (workspace_id, bot_id, version);
create index bot_sessions_due on bot_sessions (run_at);
create index bot_sessions_due_in_workspace on bot_sessions (workspace_id, run_at);
create index bot_sessions_offset on bot_sessions (workspace_id, run_offset_ms) where run_offset_ms is not null;
create trigger erase_bot_sessions after delete on conversations referencing old table as erased
  for each statement execute function erase_dependents('bot_sessions', 'conversation_id');
create trigger erase_sessions after delete on bots referencing old table as erased
  for each statement execute function erase_dependents('bot_sessions', 'bot_id');

-- Answers that the assistant was asked for in a day of the workspace's time.
create table assistant_days (
  day     text not null,
  answers integer not null
);
select tenant_table('assistant_days', 'day');
