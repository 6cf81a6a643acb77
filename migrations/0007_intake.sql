-- What the operator reports besides messages and receipts: who changed their number or id, edits, calls, the state of numbers.

-- When the customer last said yes or no to being written to, in their time: an older word that comes late changes nothing.
alter table contacts add column consent_at timestamptz;

-- Numbers and chan:<user id>s under which contacts were known before.
create table contact_aliases (
  key        text not null,
  contact_id uuid not null,
  created_at timestamptz not null,
  -- The contact's present number as the operator spells it, so that whoever writes from it is the contact.
  is_spelling boolean not null default false
);
select tenant_table('contact_aliases', 'key');
create index contact_aliases_contact on contact_aliases (workspace_id, contact_id);
create trigger erase_aliases after delete on contacts referencing old table as erased
  for each statement execute function erase_dependents('contact_aliases', 'contact_id');

-- The latest time a customer came to the chat by an advertisement or a page's button.
alter table conversations add column referred_at timestamptz;

alter table messages
  -- What the operator reported around the payload: forwarding, an advertisement, the group …
  add column context          json,
  -- As it was before it was edited.
  add column original_content json,
  add column edited_at        timestamptz,
  add column deleted_at       timestamptz,
  -- What the operator charges for it.
  add column pricing          json;

-- Edits and deletions, which may come before the message they are about. Kept for as long as the operator repeats itself.
create table message_changes (
  -- The channel's id of the change.
  chanmid    text not null,
  -- The channel's id of the message.
  original   text not null,
  -- Whose chat it is in: the digits of their number, their user id.
  people     text[] not null,
  -- The new content; null: deleted.
  content    jsonb,
  at         timestamptz not null,
  created_at timestamptz not null
);
select tenant_table('message_changes', 'chanmid');
create index message_changes_original on message_changes (workspace_id, original);
create index message_changes_people on message_changes using gin (workspace_id, people);
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
  -- When call.missed was announced.
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
  -- When the operator last reported each fact about the number, by its name: older news that comes late changes nothing.
  add column notified_at  jsonb not null default '{}';

-- Updates of the operator in which something was not understood or is not acted on.
create table unread_updates (
  id              uuid not null,
  phone_number_id uuid not null,
  body            jsonb not null,
  -- The names of what was not understood.
  fields          text[] not null,
  -- The numbers, user ids and message ids that stand in it: whose it is when somebody is erased.
  identifiers     text[] not null,
  received_at     timestamptz not null
);
select tenant_table('unread_updates');
create index unread_updates_identifiers on unread_updates using gin (workspace_id, identifiers);
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
  -- Of one that could not be applied: as in unread_updates, and the ids of the messages and calls in it.
  add column identifiers text[],
  add column message_ids text[],
  add check ((body is null) = (raw is not null) and (raw is null) = (signers is null) and (raw is null) = (phone_number_id is not null)),
  add check (sender is not null or not holds),
  -- It lives for moments: not worth squeezing.
  alter column raw set storage external;
-- Updates live for moments: squeezing those of a few kilobytes would take longer than keeping them.
alter table operator_updates set (toast_tuple_target = 8160);
create index operator_updates_holds on operator_updates (workspace_id, sender, id) where holds;
create index operator_updates_identifiers on operator_updates using gin (workspace_id, identifiers) where identifiers is not null;

-- What is known of somebody who was erased, for as long as the operator may repeat what it reported of them: hashes under a key that
-- is not in the database, of their numbers and user ids, and of the ids of their messages, edits and calls.
create table erased_ids (
  hash       bytea not null,
  is_person  boolean not null,
  -- When they were erased, in real time.
  erased_at  timestamptz not null,
  -- What the operator reported before that has smaller ids.
  erasure_id uuid not null
);
select tenant_table('erased_ids', 'hash');
create index erased_ids_age on erased_ids (erased_at);

-- HMAC in its simplest form: the key is as long as the hash, and so is what is hashed the second time.
create function erased_hash(key bytea, identifier text) returns bytea
  language sql stable parallel safe
  as $$ select sha256(key || sha256(key || convert_to(identifier, 'UTF8'))) $$;

-- Deletes what the operator reported that names one of `named` and was not acted on or could not be applied. What other
-- people's reports stand in beside it is tried again and says nothing about them by then. Answers the ids of the messages that
-- were never applied, so that they are known when they are repeated. Looks by an operator that row-level
-- security keeps from the index (&& is not leakproof): so it runs as the owner of the tables and checks the workspace itself.
-- Rows that somebody has locked are going or being applied.
create function delete_reports_naming(workspace uuid, named text[]) returns text[]
  language plpgsql security definer
  set search_path = pg_catalog, public
  as $$
declare
  unapplied text[];
begin
  if not coalesce(workspace = any (tenant_workspaces()), false) then
    return null;
  end if;
  delete from unread_updates where workspace_id = workspace and id in (
    select id from unread_updates where workspace_id = workspace and identifiers && named for update skip locked);
  with gone as (
    delete from operator_updates where workspace_id = workspace and id in (
      select id from operator_updates
      where workspace_id = workspace and identifiers is not null and identifiers && named
        and (failed_at is not null or sender = any (named))
      for update skip locked)
    returning message_ids)
  select array_agg(message_id) into unapplied from gone cross join unnest(message_ids) message_id;
  delete from message_changes where workspace_id = workspace and people && named;
  return unapplied;
end
$$;

-- Follows the rows of somebody who is erased into what names them. tg_argv: 'person' or 'message', then the columns that hold
-- identifiers. `parley.erasure` is set by the erasure for its transaction: {key, at, since, id}; messages that go because
-- they are old leave nothing behind.
create function forget_identifiers() returns trigger
  language plpgsql
  as $$
declare
  erasure jsonb := nullif(current_setting('parley.erasure', true), '');
  gone record;
  unapplied text[];
begin
  if erasure is null then
    return null;
  end if;
  for gone in execute format(
    $query$
      select workspace_id, array_agg(distinct name) as named,
        array_agg(distinct name) filter (where %L = 'person' or created_at >= $1) as remembered
      from erased cross join lateral (select regexp_replace(column_value, '^(\+|chan:|sx:)', '') from unnest(array[%s]) column_value) n (name)
      where name is not null group by workspace_id
    $query$, tg_argv[0], array_to_string(tg_argv[1:], ', ')) using (erasure ->> 'since')::timestamptz
  loop
    unapplied := delete_reports_naming(gone.workspace_id, gone.named);
    insert into erased_ids (workspace_id, hash, is_person, erased_at, erasure_id)
    select gone.workspace_id, erased_hash(decode(erasure ->> 'key', 'hex'), name), bool_or(is_person),
      (erasure ->> 'at')::timestamptz, (erasure ->> 'id')::uuid
    from (
      select name, tg_argv[0] = 'person' as is_person from unnest(gone.remembered) name
      union all select name, false from unnest(unapplied) name) remembered
    group by name
    on conflict (workspace_id, hash) do update
      set is_person = excluded.is_person, erased_at = excluded.erased_at, erasure_id = excluded.erasure_id;
  end loop;
  return null;
end
$$;
create trigger forget_contact after delete on contacts referencing old table as erased
  for each statement execute function forget_identifiers('person', 'phone', 'user_id');
create trigger forget_alias after delete on contact_aliases referencing old table as erased
  for each statement execute function forget_identifiers('person', 'key');
create trigger forget_message after delete on messages referencing old table as erased
  for each statement execute function forget_identifiers('message', 'chanmid');
create trigger forget_change after delete on message_changes referencing old table as erased
  for each statement execute function forget_identifiers('message', 'chanmid');
create trigger forget_call after delete on calls referencing old table as erased
  for each statement execute function forget_identifiers('message', 'call_id');

-- What the simulator has yet to report of a message goes with it. Rows that are being applied go by themselves.
create function erase_simulated_reports() returns trigger
  language plpgsql
  as $$
begin
  if coalesce(current_setting('parley.erasure', true), '') = '' then
    return null;
  end if;
  delete from operator_updates where (workspace_id, id) in (
    select u.workspace_id, u.id from erased join operator_updates u on u.workspace_id = erased.workspace_id and u.reference = erased.id
    for update of u skip locked);
  return null;
end
$$;
create trigger erase_simulated_reports after delete on messages referencing old table as erased
  for each statement execute function erase_simulated_reports();
