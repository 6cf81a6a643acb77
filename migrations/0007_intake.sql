-- What the operator tells us beside messages and receipts: who changed their number or id, edits, calls, the state of numbers.

-- When the customer last said yes or no to being written to, in their time: an older word that comes late changes nothing.
alter table contacts add column consent_at timestamptz;

-- Numbers and chan:<user id>s under which contacts were known before.
create table contact_aliases (
  key        text not null,
  contact_id uuid not null,
  created_at timestamptz not null
);
select tenant_table('contact_aliases', 'key');
create index contact_aliases_contact on contact_aliases (workspace_id, contact_id);
create trigger erase_aliases after delete on contacts referencing old table as erased
  for each statement execute function erase_dependents('contact_aliases', 'contact_id');

-- The latest time a customer came to the chat by an advertisement or a page's button.
alter table conversations add column referred_at timestamptz;

alter table messages
  -- What the operator told around the payload: forwarding, an advertisement, the group …
  add column context          jsonb,
  -- As it was before it was edited.
  add column original_content jsonb,
  add column edited_at        timestamptz,
  add column deleted_at       timestamptz,
  -- What the operator charges for it.
  add column pricing          jsonb;

-- Edits and deletions, which may come before the message they are about. Kept for as long as the operator repeats itself.
create table message_changes (
  -- The channel's id of the change.
  chanmid    text not null,
  -- The channel's id of the message.
  original   text not null,
  -- The new content; null: deleted.
  content    jsonb,
  at         timestamptz not null,
  created_at timestamptz not null
);
select tenant_table('message_changes', 'chanmid');
create index message_changes_original on message_changes (workspace_id, original);
create index message_changes_age on message_changes (created_at);

create function erase_message_changes() returns trigger
  language plpgsql
  as $$
begin
  delete from message_changes c using erased
  where erased.chanmid is not null and c.workspace_id = erased.workspace_id and c.original = erased.chanmid;
  return null;
end
$$;
create trigger erase_changes after delete on messages referencing old table as erased
  for each statement execute function erase_message_changes();

-- Calls of customers.
create table calls (
  call_id         text not null,
  contact_id      uuid not null,
  conversation_id uuid not null,
  phone_number_id uuid not null,
  started_at      timestamptz,
  ended_at        timestamptz,
  answered        boolean,
  -- When call.missed was told.
  missed_at       timestamptz,
  created_at      timestamptz not null
);
select tenant_table('calls', 'call_id');
create index calls_contact on calls (workspace_id, contact_id);
create trigger erase_calls after delete on contacts referencing old table as erased
  for each statement execute function erase_dependents('calls', 'contact_id');

alter table phone_numbers
  -- The business's own username on the chat network.
  add column username text,
  -- When the operator last told each fact about the number, by its name: older news that comes late changes nothing.
  add column notified_at  jsonb not null default '{}';

-- Updates of the operator in which something was not understood or is not acted on.
create table unread_updates (
  id              uuid not null,
  phone_number_id uuid not null,
  body            jsonb not null,
  -- The names of what was not understood.
  fields          text[] not null,
  received_at     timestamptz not null
);
select tenant_table('unread_updates');
create index unread_updates_age on unread_updates (received_at);
create index operator_updates_failed on operator_updates (failed_at) where failed_at is not null;
-- What the operator posts is stored as it came and read by the work on it: one row, however many updates it holds.
alter table operator_updates
  alter column phone_number_id drop not null,
  add column raw     bytea,
  -- The numbers whose secret signed it.
  add column signers uuid[],
  -- Whose messages it holds, as the operator calls them; null for what keeps no order, and for a body that may hold anybody's.
  add column sender  text,
  -- It could not be applied, or waits for one that could not: what its sender wrote later waits for it.
  add column holds   boolean not null default false,
  add check ((body is null) = (raw is not null) and (raw is null) = (signers is null) and (raw is null) = (phone_number_id is not null)),
  add check (sender is not null or not holds),
  -- It lives for moments: not worth squeezing.
  alter column raw set storage external;
-- Updates live for moments: squeezing those of a few kilobytes would take longer than keeping them.
alter table operator_updates set (toast_tuple_target = 8160);
create index operator_updates_holds on operator_updates (workspace_id, sender, id) where holds;
