-- The photo network: connected accounts, direct chats, comments, and what the network reports.

create table social_accounts (
  id                uuid not null,
  network           text not null check (network in ('simulator', 'graph')),
  -- The network's id of the account, and the other one under which it may name it.
  network_id        text not null,
  scoped_id         text,
  username          text not null,
  name              text,
  state             text not null check (state in ('connected', 'reconnect_required', 'disconnected')),
  state_reason      text,
  -- Sealed with PARLEY_SECRET_KEY; gone when the account is disconnected.
  token_sealed      bytea,
  app_secret_sealed bytea,
  verify_token_hash bytea,
  -- As the network said at the last refresh; null while it has not said.
  token_expires_at  timestamptz,
  -- When the token is refreshed next; null while there is none to refresh.
  refresh_due_at    timestamptz,
  connected_at      timestamptz not null,
  created_at        timestamptz not null,
  check ((state = 'disconnected') = (token_sealed is null))
);
select tenant_table('social_accounts');
create unique index social_accounts_network_id on social_accounts (workspace_id, network, network_id);
-- One account a workspace, and one workspace an account.
create unique index social_accounts_one on social_accounts (workspace_id) where state <> 'disconnected';
create unique index social_accounts_holder on social_accounts (network, network_id) where state <> 'disconnected';
create index social_accounts_refresh on social_accounts (refresh_due_at) where refresh_due_at is not null;

create table social_conversations (
  id                uuid not null,
  account_id        uuid not null,
  contact_id        uuid not null,
  -- A lead that a person said the customer is.
  lead_id           uuid,
  last_inbound_at   timestamptz,
  last_message_at   timestamptz,
  -- A UUIDv7 made at each message: the list is ordered by it.
  activity_id       uuid not null,
  created_at        timestamptz not null
) with (fillfactor = 80);
select tenant_table('social_conversations');
create unique index social_conversations_parties on social_conversations (workspace_id, contact_id, account_id);
create unique index social_conversations_latest on social_conversations (workspace_id, activity_id);
create index social_conversations_lead on social_conversations (workspace_id, lead_id) where lead_id is not null;
create trigger erase_social_conversations after delete on contacts referencing old table as erased
  for each statement execute function erase_dependents('social_conversations', 'contact_id');

create function unlink_social_lead() returns trigger
  language plpgsql
  as $$
begin
  update social_conversations c set lead_id = null from erased
  where c.workspace_id = erased.workspace_id and c.lead_id = erased.id;
  return null;
end
$$;
create trigger unlink_social_lead after delete on leads referencing old table as erased
  for each statement execute function unlink_social_lead();

create table social_messages (
  id               uuid not null,
  conversation_id  uuid not null,
  direction        text not null check (direction in ('inbound', 'outbound')),
  -- The network's id of the message, null until it is known, and which of the message's photos this is.
  mid              text,
  part             integer not null default 0,
  type             text not null,
  content          jsonb not null,
  -- As it was before it was edited.
  original_content jsonb,
  -- sending: handed over and not answered; unconfirmed: nobody knows whether it went out.
  status           text not null check (status in ('received', 'sending', 'sent', 'read', 'unconfirmed')),
  reply_to         text,
  -- What the other side thinks of it, in the network's words.
  reaction         text,
  -- Which request made it: its retries find it by this.
  request_key      text,
  created_at       timestamptz not null,
  sent_at          timestamptz,
  read_at          timestamptz,
  edited_at        timestamptz,
  edition          integer not null default 0,
  deleted_at       timestamptz
);
select tenant_table('social_messages');
create index social_messages_conversation on social_messages (workspace_id, conversation_id, id);
create unique index social_messages_mid on social_messages (workspace_id, mid, part) where mid is not null;
create unique index social_messages_request on social_messages (workspace_id, request_key) where request_key is not null;
-- What a report of the network may still settle.
create index social_messages_open on social_messages (workspace_id, conversation_id, id) where mid is null;
create trigger erase_social_messages after delete on social_conversations referencing old table as erased
  for each statement execute function erase_dependents('social_messages', 'conversation_id');

-- Edits, withdrawals and reactions that came before their message, for as long as the network repeats itself.
create table social_message_changes (
  id         uuid not null,
  mid        text not null,
  body       jsonb not null,
  created_at timestamptz not null
);
select tenant_table('social_message_changes');
create index social_message_changes_mid on social_message_changes (workspace_id, mid);
create index social_message_changes_age on social_message_changes (created_at);

create table social_comments (
  id           uuid not null,
  account_id   uuid not null,
  -- The network's id; null for a mention in the caption of `media_id`.
  network_id   text,
  media_id     text,
  parent_id    text,
  kind         text not null check (kind in ('comment', 'reply', 'mention')),
  -- The network's id of who wrote it, where it says.
  author_id    text,
  username     text,
  text         text,
  permalink    text,
  live         boolean not null default false,
  hidden       boolean not null default false,
  -- When the account last replied.
  replied_at   timestamptz,
  commented_at timestamptz not null,
  created_at   timestamptz not null,
  check (network_id is not null or media_id is not null)
);
select tenant_table('social_comments');
create unique index social_comments_network_id on social_comments (workspace_id, account_id, network_id) where network_id is not null;
create unique index social_comments_caption on social_comments (workspace_id, account_id, media_id) where network_id is null;
create index social_comments_thread on social_comments (workspace_id, parent_id) where parent_id is not null;
create index social_comments_needs_reply on social_comments (workspace_id, id) where replied_at is null and not hidden;
create index social_comments_mentions on social_comments (workspace_id, id) where kind = 'mention';
create index social_comments_hidden on social_comments (workspace_id, id) where hidden;
create index social_comments_author on social_comments (workspace_id, author_id) where author_id is not null;

-- Whoever is erased goes with what they wrote under our posts.
create function erase_social_comments() returns trigger
  language plpgsql
  as $$
begin
  delete from social_comments c using erased
  where erased.channel = 'social' and c.workspace_id = erased.workspace_id and c.author_id = substr(erased.phone, 4);
  return null;
end
$$;
create trigger erase_social_comments after delete on contacts referencing old table as erased
  for each statement execute function erase_social_comments();

-- What the account replied.
create table social_replies (
  id          uuid not null,
  comment_id  uuid not null,
  text        text not null,
  status      text not null check (status in ('sending', 'sent', 'unconfirmed')),
  network_id  text,
  request_key text,
  created_at  timestamptz not null,
  sent_at     timestamptz
);
select tenant_table('social_replies');
create index social_replies_comment on social_replies (workspace_id, comment_id, id);
create unique index social_replies_network_id on social_replies (workspace_id, network_id) where network_id is not null;
create unique index social_replies_request on social_replies (workspace_id, request_key) where request_key is not null;
create trigger erase_social_replies after delete on social_comments referencing old table as erased
  for each statement execute function erase_dependents('social_replies', 'comment_id');

-- Where posts can be looked at, as far as we asked.
create table social_permalinks (
  media_id   text not null,
  permalink  text,
  created_at timestamptz not null
);
select tenant_table('social_permalinks', 'media_id');

-- What the network reported, stored as it came before anything is done about it.
create table social_updates (
  id           uuid not null,
  account_id   uuid not null,
  raw          bytea not null,
  run_at       timestamptz not null,
  -- Until then whoever claimed it applies it, and nobody else anything of its workspace.
  leased_until timestamptz,
  attempts     integer not null default 0,
  failed_at    timestamptz,
  last_error   text,
  received_at  timestamptz not null
);
alter table social_updates alter column raw set storage external;
select tenant_table('social_updates');
create index social_updates_due on social_updates (workspace_id, run_at, id) where failed_at is null;
create index social_updates_leased on social_updates (workspace_id) where leased_until is not null;
create index social_updates_failed on social_updates (failed_at) where failed_at is not null;
