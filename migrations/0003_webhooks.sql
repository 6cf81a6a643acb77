-- The event log, the endpoints that listen to it, and one row for each attempt to notify them.

create table events (
  id          uuid not null,
  name        text not null,
  data        json not null,
  -- When it happened, in the workspace's time; identical on every delivery (spec 6.1).
  created_at  timestamptz not null,
  -- Whom the data speaks of, for erasure.
  contact_id  uuid
);
select tenant_table('events');
create index events_name on events (workspace_id, name, id);
create index events_contact on events (workspace_id, contact_id) where contact_id is not null;
-- Rows lie in the order of their age, so a summary of each stretch of pages is enough to find the old ones.
create index events_age on events using brin (created_at) with (autosummarize = on);

-- What is left of an event's data when the person it speaks of is erased: the ids of ours that its kind declares. `shape` names
-- them: {"leadId": true, "contact": {"id": true}}. Whatever else stands there, under whatever key, goes.
create function ids_only(data jsonb, shape jsonb) returns jsonb
  language sql immutable parallel safe
  as $$
    select coalesce(jsonb_object_agg(key, case jsonb_typeof(below) when 'object' then ids_only(value, below) else value end), '{}')
    from jsonb_each(case jsonb_typeof(data) when 'object' then data else '{}' end)
    cross join lateral (select shape -> key as below) declared
    where case jsonb_typeof(below)
      when 'object' then jsonb_typeof(value) = 'object'
      when 'boolean' then value #>> '{}' ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
      else false end
  $$;

create table webhook_endpoints (
  id                     uuid not null,
  url                    text not null,
  -- Null: every event, later-added ones included.
  events                 text[],
  active                 boolean not null default true,
  -- Set when the service switched it off by itself, with the reason.
  disabled_at            timestamptz,
  disabled_reason        text,
  -- The key that registered it and with which it stops; null when a person did so in the dashboard.
  key_id                 uuid,
  secret_sealed          bytea not null,
  old_secret_sealed      bytea,
  -- Until when the old secret signs too, in the workspace's time.
  old_secret_expires_at  timestamptz,
  -- Since when every delivery has failed, and how many did.
  failing_since          timestamptz,
  failures               integer not null default 0,
  created_at             timestamptz not null,
  updated_at             timestamptz not null
);
select tenant_table('webhook_endpoints');
create unique index webhook_endpoints_url on webhook_endpoints (workspace_id, url);

-- One row is one attempt of one event at one endpoint. A pending row is its own job.
create table deliveries (
  id           uuid not null,
  endpoint_id  uuid not null,
  event_id     uuid not null,
  event        text not null,
  attempt      integer not null default 1,
  status       text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
  -- Sent by hand (redelivery, test): it is not retried.
  manual       boolean not null default false,
  -- Asked for by a replay; such an event may have had an attempt number 1 at the endpoint before.
  replayed     boolean not null default false,
  created_at   timestamptz not null,
  attempted_at timestamptz,
  -- When this attempt falls due: in the workspace's time, and in real time while it is pending.
  due_at       timestamptz not null,
  run_at       timestamptz,
  run_offset_ms bigint,
  leased_until timestamptz,
  -- Of a failed attempt: when the next one falls due, in the workspace's time.
  next_at      timestamptz,
  http_status  integer,
  latency_ms   integer,
  error        text,
  request      json,
  response     json,
  -- Its event lost its data when this attempt was there: what the receiver answers is not kept, for it may repeat them.
  retracted    boolean not null default false
) with (fillfactor = 70);
select tenant_table('deliveries');
-- Grouped by endpoint, so that a claim goes from endpoint to endpoint and no backlog hides another's rows.
-- A claim touches no indexed column: it only sets leased_until.
create index deliveries_due on deliveries (workspace_id, endpoint_id, run_at, id) where run_at is not null;
create index deliveries_endpoint on deliveries (workspace_id, endpoint_id, id);
-- An event's attempts besides the first at each endpoint, whose id begins like the event's and so needs no index of its own.
create index deliveries_again on deliveries (workspace_id, event_id, endpoint_id)
  where attempt > 1 or manual or replayed;
create index deliveries_age on deliveries using brin (created_at) with (autosummarize = on);

-- Receivers that were removed: a second removal answers deleted false, an id that never was answers 404.
create table deleted_webhook_endpoints (
  id            uuid not null,
  key_id        uuid,
  removed_at    timestamptz not null,
  -- Until when, in real time, deliveries may still be added by transactions that began before; null once none is pending.
  pending_until timestamptz
);
select tenant_table('deleted_webhook_endpoints');
create index deleted_webhook_endpoints_pending on deleted_webhook_endpoints (pending_until) where pending_until is not null;
