-- What is read about the work: counts by day, saved replies, the operator's in-chat forms, what was read in the inbox.

-- Counts of a day (2026-11-21, in the workspace's time zone) on one number, by type of message; rows of conversations have the type ''. They hold no persons.
create table activity_days (
  day             text not null,
  phone_number_id uuid not null,
  type            text not null,
  received        bigint not null default 0,
  sent            bigint not null default 0,
  delivered       bigint not null default 0,
  read            bigint not null default 0,
  failed          bigint not null default 0,
  skipped         bigint not null default 0,
  opened          bigint not null default 0
) with (fillfactor = 50);
select tenant_table('activity_days', 'day, phone_number_id, type');

-- What transactions add to them: written beside the facts, read together with the days, added up now and then.
create table activity_deltas (
  id              uuid not null,
  day             text not null,
  phone_number_id uuid not null,
  type            text not null,
  received        integer not null,
  sent            integer not null,
  delivered       integer not null,
  read            integer not null,
  failed          integer not null,
  skipped         integer not null,
  opened          integer not null
);
select tenant_table('activity_deltas');

create table quick_replies (
  id           uuid not null,
  shortcut     text not null,
  -- The shortcut in lower case: unique whatever the case it was written in.
  shortcut_key text not null,
  text         text not null,
  created_at   timestamptz not null,
  updated_at   timestamptz not null
);
select tenant_table('quick_replies');
create unique index quick_replies_shortcut on quick_replies (workspace_id, shortcut_key);

-- The operator's in-chat forms as we last saw them.
create table flows (
  id          uuid not null,
  account_id  text not null,
  operator_id text not null,
  name        text not null,
  -- draft, published, deprecated, blocked, throttled: the operator's words in lower case.
  status      text not null,
  categories  text[] not null,
  created_at  timestamptz not null,
  updated_at  timestamptz not null
);
select tenant_table('flows');
create unique index flows_operator_id on flows (workspace_id, account_id, operator_id);

-- When an account's forms were last asked for, and when the operator last answered, in the workspace's time.
create table flow_syncs (
  account_id text not null,
  tried_at   timestamptz not null,
  synced_at  timestamptz
);
select tenant_table('flow_syncs', 'account_id');

-- Customers' messages since a person last read the chat, and the last one whose reading the operator was notified of.
alter table conversations
  add column unread_count integer not null default 0,
  -- Whether that is more than none: it changes with the first message alone, so that it can have an index.
  add column is_unread boolean not null default false,
  add column last_read_at timestamptz,
  add column read_message_id uuid;
create index conversations_unread on conversations (workspace_id, id) where is_unread;

-- Every list of messages by state, direction, type or number is a few stretches of this one index
-- (src/modules/messages/reading/queries/message-lists.ts): a second index would be moved with each change of a message's state.
drop index messages_status;
create index messages_status on messages (workspace_id, status, type, phone_number_id, id);
