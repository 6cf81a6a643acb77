-- What a workspace has done by itself when something happens (docs/decisions/automations.md).

-- By which rule a message went out, and by which rules that one was caused: {automationId, runId, chain}.
alter table messages add column origin json;

create table automations (
  id              uuid not null,
  name            text not null,
  enabled         boolean not null,
  trigger         jsonb not null,
  conditions      jsonb not null,
  actions         jsonb not null,
  -- What the trigger says, as it is looked for.
  event           text,
  include_imports boolean not null,
  scheduled       boolean not null,
  idle_side       text check (idle_side in ('team', 'customer')),
  idle_minutes    integer,
  -- What ids of its actions were called when it was saved: {id: name}.
  names           jsonb not null,
  -- Signs its calls; made with the first action that calls.
  secret_sealed   bytea,
  disabled_reason text,
  created_at      timestamptz not null,
  updated_at      timestamptz not null
);
select tenant_table('automations');
create index automations_event on automations (workspace_id, event) where enabled and event is not null;
create index automations_idle on automations (workspace_id, id) where enabled and idle_side is not null;
create trigger announce after insert or update or delete on automations
  for each row execute function announce_workspace_change();

-- What changes of an automation with its runs: apart from it, so that a run announces nothing.
create table automation_states (
  automation_id uuid not null,
  done          bigint not null default 0,
  skipped       bigint not null default 0,
  failed        bigint not null default 0,
  last_run_at   timestamptz,
  -- Since when runs are skipped for being too many, and when that last was.
  limited_since timestamptz,
  limited_at    timestamptz,
  -- When a schedule runs next, in real time.
  run_at        timestamptz,
  run_offset_ms bigint,
  -- Up to when chats were looked through for silence, in the workspace's time.
  looked_at     timestamptz
) with (fillfactor = 70);
select tenant_table('automation_states', 'automation_id');
create index automation_states_due on automation_states (run_at) where run_at is not null;
create index automation_states_due_in_workspace on automation_states (workspace_id, run_at) where run_at is not null;
create index automation_states_offset on automation_states (workspace_id, run_offset_ms)
  where run_offset_ms is not null and run_at is not null;

-- Events that automations listen to, until the worker has made runs of them: one row each, as it is written with the event.
create table automation_starts (
  id             uuid not null,
  contact_id     uuid,
  -- Those that listened, in the order in which they run.
  automation_ids uuid[] not null,
  -- The automations that led to the event, the first first.
  causes         uuid[] not null,
  run_at         timestamptz not null,
  created_at     timestamptz not null
);
select tenant_table('automation_starts');
-- Triggers go by their names: before that of the runs, so that it waits for whoever makes runs of a start just now.
create trigger erase_automation_before_runs after delete on contacts referencing old table as erased
  for each statement execute function erase_dependents('automation_starts', 'contact_id');

-- While run_at is set, the row is the work. One that is running without it waits for a call to the outside.
create table automation_runs (
  id              uuid not null,
  automation_id   uuid not null,
  -- What it is a run for, once: an event, a moment and a lead, or a silence of a chat.
  occasion        text not null,
  event_id        uuid,
  contact_id      uuid,
  lead_id         uuid,
  conversation_id uuid,
  -- Those of one lane go one by one: a contact, else the occasion itself.
  lane            uuid not null,
  -- The automations that led to it, the first first.
  causes          uuid[] not null,
  status          text not null check (status in ('waiting', 'running', 'done', 'skipped', 'failed')),
  reason          text,
  -- The actions as they were when it began to act.
  actions         jsonb,
  steps           jsonb not null default '[]',
  run_at          timestamptz,
  run_offset_ms   bigint,
  -- How often it was put off by a fault of ours.
  faults          integer not null default 0,
  -- When it began to act, in the workspace's time.
  acted_at        timestamptz,
  created_at      timestamptz not null,
  finished_at     timestamptz,
  check ((finished_at is null) = (status in ('waiting', 'running'))),
  check (run_at is null or finished_at is null)
) with (fillfactor = 70);
select tenant_table('automation_runs');
create unique index automation_runs_occasion on automation_runs (workspace_id, automation_id, occasion);
create index automation_runs_list on automation_runs (workspace_id, automation_id, id);
create index automation_runs_due on automation_runs (workspace_id, run_at) where run_at is not null;
create index automation_runs_lane on automation_runs (workspace_id, lane, id) where status in ('waiting', 'running');
create unique index automation_runs_begun on automation_runs (workspace_id, lane) where status = 'running';
create index automation_runs_offset on automation_runs (workspace_id, run_offset_ms)
  where run_offset_ms is not null and run_at is not null;
-- What is counted of the last hour.
create index automation_runs_acted on automation_runs (workspace_id, acted_at) where acted_at is not null;
create index automation_runs_contact on automation_runs (workspace_id, contact_id, automation_id, acted_at);
create index automation_runs_finished on automation_runs (finished_at) where finished_at is not null;
create trigger erase_automation_runs after delete on contacts referencing old table as erased
  for each statement execute function erase_dependents('automation_runs', 'contact_id');

-- Whether values fulfil a condition of the language of filters: `subject` has them under the names of a lead's columns. It is the
-- very SQL that lists of leads are made with, so that both agree.
create function fulfils(subject leads, tree jsonb, vals jsonb) returns boolean
  language plpgsql stable
  set search_path = pg_catalog, public
  as $$
declare
  holds boolean;
begin
  execute format('select coalesce(%s, false) from (select ($4).*) as leads', lead_condition(tree))
    into holds using subject.workspace_id, vals, '{}'::uuid[], subject;
  return holds;
end
$$;
