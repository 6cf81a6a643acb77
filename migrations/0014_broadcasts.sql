-- Campaigns (spec 2.7): what is sent, to whom, how far it has come, and what became of it.

create table broadcasts (
  id              uuid not null,
  name            text not null,
  status          text not null check (status in ('draft', 'scheduled', 'running', 'paused', 'completed', 'cancelled')),
  -- Why it paused by itself; null: somebody paused it.
  paused_reason   text,
  template_id     uuid not null,
  template_name   text not null,
  category        text not null,
  phone_number_id uuid not null,
  segment         jsonb not null,
  variables       jsonb,
  known_only      boolean not null,
  confirmed       boolean not null,
  follow_up_of    uuid,
  -- Every recipient's message: its content, and its body as the customer reads it.
  content         jsonb not null,
  template_text   text,
  -- As counted when it was created or last started.
  matched         bigint not null,
  will_send       bigint not null,
  suppressed      bigint not null,
  new_recipients  bigint not null,
  -- The pass over the audience as it was at started_at: contacts up to walked_to are laid out in stretches.
  walked_to       uuid,
  walked          boolean not null default false,
  -- Whom the fan-out has come to: every one is queued, skipped, or waiting for a day with room.
  recipients      bigint not null default 0,
  queued          bigint not null default 0,
  skipped         bigint not null default 0,
  waiting         bigint not null default 0,
  -- Its queued messages may be handed over.
  sending         boolean not null default false,
  -- Real time at which the background has something to do with it.
  run_at          timestamptz,
  run_offset_ms   bigint,
  scheduled_at    timestamptz,
  started_at      timestamptz,
  completed_at    timestamptz,
  cancelled_at    timestamptz,
  created_at      timestamptz not null,
  updated_at      timestamptz not null
) with (fillfactor = 70);
select tenant_table('broadcasts');
create index broadcasts_status on broadcasts (workspace_id, status, id);
create index broadcasts_due on broadcasts (run_at) where run_at is not null;
create index broadcasts_due_in_workspace on broadcasts (workspace_id, run_at) where run_at is not null;
create index broadcasts_offset on broadcasts (workspace_id, run_offset_ms) where run_offset_ms is not null and run_at is not null;
create index broadcasts_sending on broadcasts (workspace_id, phone_number_id, id) where sending;

-- Stretches of an audience that the fan-out has yet to come to: contacts after after_id, up to until_id. Several are walked
-- at once, and each row goes in the transaction that comes to the last of its people.
create table broadcast_stretches (
  broadcast_id uuid not null,
  until_id     uuid not null,
  after_id     uuid not null
);
select tenant_table('broadcast_stretches', 'broadcast_id, until_id');

-- One row for each person of a campaign, once whatever happens. The message's own state says what became of it.
create table broadcast_recipients (
  broadcast_id uuid not null,
  contact_id   uuid not null,
  state        text not null check (state in ('waiting', 'queued', 'skipped')),
  -- Why skipped.
  reason       text,
  message_id   uuid,
  -- For whoever had never written when the campaign came to them: when the message was queued (workspace's time).
  new_at       timestamptz
);
select tenant_table('broadcast_recipients', 'contact_id, broadcast_id');
create index broadcast_recipients_state on broadcast_recipients (workspace_id, broadcast_id, state, contact_id);
create index broadcast_recipients_new on broadcast_recipients (workspace_id, new_at) where new_at is not null;
create trigger erase_recipients after delete on contacts referencing old table as erased
  for each statement execute function erase_dependents('broadcast_recipients', 'contact_id');

-- How many people who had never written each number wrote to on a day (2026-11-21, in the workspace's time zone).
create table new_recipient_days (
  phone_number_id uuid not null,
  day             text not null,
  used            integer not null
);
select tenant_table('new_recipient_days', 'phone_number_id, day');

-- What a workspace allows its campaigns (docs/decisions/campaign-gates.md, marketing-cap.md).
alter table workspaces
  -- Marketing templates that one person is sent in 24 hours; their last eight times are kept.
  add column marketing_cap   integer not null default 2 check (marketing_cap between 1 and 8),
  -- Who never wrote and did not answer a campaign is left alone for so long.
  add column cool_off_days   integer not null default 7 check (cool_off_days between 0 and 365),
  -- A follow-up comes at least so long after the campaign that it follows.
  add column follow_up_hours integer not null default 24 check (follow_up_hours between 0 and 8760);
alter table phone_numbers
  -- People who never wrote: more in a day would look like unsolicited mail to the operator.
  add column daily_new_recipients integer not null default 1000 check (daily_new_recipients between 1 and 1000000);

-- What became of a campaign's messages. Transactions only add deltas, so that nobody waits; they are added up now and then.
create table broadcast_counts (
  broadcast_id uuid not null,
  sent         bigint not null,
  delivered    bigint not null,
  read         bigint not null,
  failed       bigint not null,
  skipped      bigint not null
) with (fillfactor = 50);
select tenant_table('broadcast_counts', 'broadcast_id');
create table broadcast_deltas (
  id           uuid not null,
  broadcast_id uuid not null,
  sent         integer not null,
  delivered    integer not null,
  read         integer not null,
  failed       integer not null,
  skipped      integer not null
);
select tenant_table('broadcast_deltas');
create index broadcast_deltas_broadcast on broadcast_deltas (workspace_id, broadcast_id);

alter table messages
  -- The campaign that it is a message of.
  add column broadcast_id uuid,
  -- Why it was deliberately not sent.
  add column skip_reason  text;
create index messages_broadcast on messages (workspace_id, broadcast_id, status, contact_id) where broadcast_id is not null;
-- Number by number, and there campaign by campaign: ordinary messages, which have none, are found without passing a
-- campaign's, and those of a paused campaign are never passed.
drop index messages_due;
create index messages_due on messages (workspace_id, phone_number_id, broadcast_id, run_at, id) where run_at is not null;
