-- The event log, the endpoints that listen to it, and one row for each attempt to tell them.

create table events (
  id          uuid not null,
  name        text not null,
  data        jsonb not null,
  -- When it happened, in the workspace's time; identical on every delivery (spec 6.1).
  created_at  timestamptz not null,
  -- Whom the data speaks of, for erasure.
  contact_id  uuid
);
select tenant_table('events');
create index events_name on events (workspace_id, name, id);
create index events_contact on events (workspace_id, contact_id) where contact_id is not null;
create index events_age on events (created_at);

create table webhook_endpoints (
  id                     uuid not null,
  url                    text not null,
  -- Null: every event, later-added ones included.
  events                 text[],
  active                 boolean not null default true,
  -- Set when the service switched it off by itself, with the reason.
  disabled_at            timestamptz,
  disabled_reason        text,
  key_id                 uuid not null,
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
create trigger announce after insert or delete or update of url, events, active, secret_sealed, old_secret_sealed on webhook_endpoints
  for each row execute function announce_workspace_change();

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
  created_at   timestamptz not null,
  attempted_at timestamptz,
  -- When this attempt falls due: in the workspace's time, and in real time while it is pending.
  due_at       timestamptz not null,
  run_at       timestamptz,
  leased_until timestamptz,
  http_status  integer,
  latency_ms   integer,
  error        text,
  request      jsonb,
  response     jsonb
) with (fillfactor = 70);
select tenant_table('deliveries');
create index deliveries_due on deliveries (run_at) where run_at is not null;
create index deliveries_endpoint on deliveries (workspace_id, endpoint_id, id);
create index deliveries_event on deliveries (workspace_id, event_id);
create index deliveries_age on deliveries (created_at);

-- Receivers that were removed: a second removal answers deleted false, an id that never was answers 404.
create table removed_webhook_endpoints (
  id         uuid not null,
  removed_at timestamptz not null
);
select tenant_table('removed_webhook_endpoints');
