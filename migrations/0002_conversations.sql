-- People, chats and messages of the chat network.

create table contacts (
  id                  uuid not null,
  channel             text not null default 'chat' check (channel in ('chat', 'social')),
  -- E.164 with +, or chan:<user id>, or sx:<id>.
  phone               text not null,
  user_id             text,
  username            text,
  -- What a person named the contact; the profile name stands in until then.
  display_name        text,
  profile_name        text,
  tags                text[] not null default '{}',
  attributes          jsonb not null default '{}',
  opt_in_status       text not null default 'unknown' check (opt_in_status in ('unknown', 'opted_in', 'opted_out')),
  opt_in_source       text,
  -- The customer's own no (STOP, a consent answer): the API cannot lift it (spec 2.6).
  refused_by_customer boolean not null default false,
  blocked             boolean not null default false,
  last_seen_at        timestamptz,
  created_at          timestamptz not null,
  updated_at          timestamptz not null
) with (fillfactor = 90);
select tenant_table('contacts');
create unique index contacts_phone on contacts (workspace_id, phone);
create unique index contacts_user_id on contacts (workspace_id, user_id) where user_id is not null;
create index contacts_search on contacts using gin (
  workspace_id,
  (lower(phone || ' ' || coalesce(display_name, '') || ' ' || coalesce(profile_name, '') || ' ' || coalesce(username, ''))) gin_trgm_ops
) with (fastupdate = on);
create index contacts_social on contacts (workspace_id, id) where channel = 'social';

-- The contacts whose number, name or username is like one of `patterns` (null: any) and that fulfil every condition of
-- `narrow` ([{ids, tags, excludeTags, optInStatus, seenSince}]), newest first; `before` and `number` narrow them unless null.
-- Under row-level security LIKE and && may not use an index (they are not leakproof), so this runs as the
-- owner of the table and checks the workspace itself. The text is planned with its values: how rare a pattern is decides
-- between the trigrams and a walk along the ids.
create function search_contacts(
    workspace uuid, patterns text[], kind text, before uuid, number text, narrow jsonb, at_most integer)
  returns setof uuid
  language plpgsql stable security definer
  set search_path = pg_catalog, public
  as $$
declare
  words constant text := $words$lower(phone || ' ' || coalesce(display_name, '') || ' ' || coalesce(profile_name, '') || ' ' || coalesce(username, ''))$words$;
  condition text := '';
  part jsonb;
begin
  if not coalesce(workspace = any (tenant_workspaces()), false) then
    return;
  end if;
  if patterns is not null then
    condition := format(' and (%1$s like lower($2[1]) or %1$s like lower($2[2]))', words);
  end if;
  for part in select value from jsonb_array_elements(narrow) loop
    if part ? 'ids' then
      condition := condition || format(' and id = any (%L::uuid[])', array(select jsonb_array_elements_text(part -> 'ids')));
    end if;
    if part ? 'tags' then
      condition := condition || format(' and tags && %L::text[]', array(select jsonb_array_elements_text(part -> 'tags')));
    end if;
    if part ? 'excludeTags' then
      condition := condition || format(' and not tags && %L::text[]', array(select jsonb_array_elements_text(part -> 'excludeTags')));
    end if;
    if part ? 'optInStatus' then
      condition := condition || format(' and opt_in_status = %L', part ->> 'optInStatus');
    end if;
    if part ? 'seenSince' then
      condition := condition || format(' and last_seen_at >= %L::timestamptz', part ->> 'seenSince');
    end if;
  end loop;
  return query execute
    'select id from contacts
     where workspace_id = $1 and channel = $3 and ($4 is null or id < $4) and ($5 is null or phone = $5)' || condition
    || ' order by id desc limit $6'
    using workspace, patterns, kind, before, number, at_most;
end
$$;

-- While a workspace has no contact limit its contacts are not counted: null. Whoever needs the number
-- next counts them under the row's lock.
alter table workspace_usage alter column contacts drop not null, alter column contacts drop default;
create function forget_contact_count() returns trigger
  language plpgsql
  as $$
begin
  update workspace_usage set contacts = null where workspace_id = new.id;
  return null;
end
$$;
create trigger forget_contact_count after update of plan, contact_limit on workspaces
  for each row when (old.plan <> new.plan or old.contact_limit is distinct from new.contact_limit)
  execute function forget_contact_count();

-- Rows of the table tg_argv[0] go with the row that their column tg_argv[1] names: a foreign key's
-- cascade without its check on every insert. Declared on the table whose rows are erased.
create function erase_dependents() returns trigger
  language plpgsql
  as $$
begin
  execute format(
    'delete from %I dependent using erased where dependent.workspace_id = erased.workspace_id and dependent.%I = erased.id',
    tg_argv[0], tg_argv[1]);
  return null;
end
$$;

create table conversations (
  id                    uuid not null,
  contact_id            uuid not null,
  phone_number_id       uuid not null,
  state                 text not null default 'open' check (state in ('open', 'pending', 'resolved')),
  priority              text not null default 'normal' check (priority in ('low', 'normal', 'high', 'urgent')),
  is_archived           boolean not null default false,
  assigned_agent_id     uuid,
  -- The 24-hour window, in the workspace's time. window_open says which of its two events was last announced.
  window_expires_at     timestamptz,
  window_open           boolean not null default false,
  -- When it is looked at whether the window has expired, in real time, at the latest when it has; null while none is open.
  window_run_at         timestamptz,
  run_offset_ms         bigint,
  free_entry_expires_at timestamptz,
  last_inbound_at       timestamptz,
  created_at            timestamptz not null,
  updated_at            timestamptz not null
) with (fillfactor = 80);
select tenant_table('conversations');
create unique index conversations_contact on conversations (workspace_id, contact_id, phone_number_id);
create index conversations_window_due on conversations (window_run_at) where window_run_at is not null;
create index conversations_window_due_in_workspace on conversations (workspace_id, window_run_at) where window_run_at is not null;
create index conversations_offset on conversations (workspace_id, run_offset_ms)
  where run_offset_ms is not null and window_run_at is not null;
-- What is not over, by whose it is: changed by people alone, so that messages still write a conversation in place.
create index conversations_open on conversations (workspace_id, assigned_agent_id, id) include (is_archived)
  where state <> 'resolved';
create trigger erase_conversations after delete on contacts referencing old table as erased
  for each statement execute function erase_dependents('conversations', 'contact_id');

-- What every message changes of a conversation, apart from it: a narrow row with one index to move.
-- A sender holds this row until it commits, and an erasure takes it before the messages, so that no
-- message is left behind.
create table conversation_activity (
  conversation_id uuid not null,
  -- A UUIDv7 made at each activity: the list is ordered by it.
  activity_id     uuid not null,
  last_message_at timestamptz,
  -- Since when the customer waits for an answer, in the workspace's time; null: we wrote last, or it was resolved.
  waiting_since   timestamptz,
  -- The activity with which the waiting began: chats that wait are ordered by it.
  waiting_id      uuid
) with (fillfactor = 70);
select tenant_table('conversation_activity', 'conversation_id');
create index conversation_activity_latest on conversation_activity (workspace_id, activity_id);
create index conversation_activity_waiting on conversation_activity (workspace_id, waiting_id) where waiting_id is not null;
create trigger erase_activity after delete on conversations referencing old table as erased
  for each statement execute function erase_dependents('conversation_activity', 'conversation_id');

create table conversation_notes (
  id              uuid not null,
  conversation_id uuid not null,
  author_name     text not null,
  body            text not null,
  created_at      timestamptz not null
);
select tenant_table('conversation_notes');
create index conversation_notes_conversation on conversation_notes (workspace_id, conversation_id, id);
create trigger erase_notes after delete on conversations referencing old table as erased
  for each statement execute function erase_dependents('conversation_notes', 'conversation_id');

create table messages (
  id              uuid not null,
  conversation_id uuid not null,
  contact_id      uuid not null,
  phone_number_id uuid not null,
  direction       text not null check (direction in ('inbound', 'outbound')),
  type            text not null,
  content         json not null,
  -- The body of a template as the customer reads it: the template may change later.
  template_text   text,
  status          text not null check (status in ('queued', 'sent', 'delivered', 'read', 'failed', 'skipped', 'received')),
  chanmid         text,
  reply_to        text,
  -- The member who wrote it in the dashboard.
  sent_by         uuid,
  error           json,
  created_at      timestamptz not null,
  sent_at         timestamptz,
  delivered_at    timestamptz,
  read_at         timestamptz,
  failed_at       timestamptz,
  -- The hand-over to the operator: while run_at is set, this row is the job (real time).
  run_at          timestamptz,
  run_offset_ms   bigint,
  leased_until    timestamptz,
  handovers       integer not null default 0
-- Room for the row's next versions beside it: a lease then touches none of the indexes, a third of its cost.
) with (fillfactor = 60);
select tenant_table('messages');
create index messages_conversation on messages (workspace_id, conversation_id, id);
create index messages_status on messages (workspace_id, status, id);
create unique index messages_chanmid on messages (workspace_id, chanmid) where chanmid is not null;
-- Number by number, so that one number's backlog hides nobody's.
create index messages_due on messages (workspace_id, phone_number_id, run_at, id) where run_at is not null;
create index messages_offset on messages (workspace_id, run_offset_ms) where run_offset_ms is not null and run_at is not null;
create trigger erase_messages after delete on conversations referencing old table as erased
  for each statement execute function erase_dependents('messages', 'conversation_id');

-- What the operator reported, stored before anything is done about it.
create table operator_updates (
  id              uuid not null,
  phone_number_id uuid not null,
  -- The operator's own webhook value, as it came.
  body            json,
  -- Our message that a simulated report is about: the simulator takes each message once.
  reference       uuid,
  run_at          timestamptz not null,
  run_offset_ms   bigint,
  attempts        integer not null default 0,
  failed_at       timestamptz,
  last_error      text,
  received_at     timestamptz not null
);
select tenant_table('operator_updates');
-- Workspace by workspace, so that one's backlog hides nobody's.
create index operator_updates_due on operator_updates (workspace_id, run_at, id) where failed_at is null;
create index operator_updates_offset on operator_updates (workspace_id, run_offset_ms)
  where run_offset_ms is not null and failed_at is null;
create index operator_updates_reference on operator_updates (workspace_id, reference) where reference is not null;
