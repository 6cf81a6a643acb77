-- Tenancy, workspaces, members, keys, numbers, and the queue of background work.
--
-- Two ways into the data: the owner of the tables (migrations, the worker's claims across
-- workspaces) and the role parley_tenant, which PostgreSQL itself holds to the workspaces named
-- in the setting parley.workspaces of the running transaction.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

do $$
begin
  if not exists (select from pg_roles where rolname = 'parley_tenant') then
    create role parley_tenant nologin nosuperuser nobypassrls;
  end if;
exception
  -- A concurrent migration of another database on the same server made it first.
  when duplicate_object or unique_violation then null;
end
$$;

do $$
begin
  execute format('grant parley_tenant to %I', current_user);
exception
  -- The role is somebody else's and was granted to us before.
  when insufficient_privilege then null;
end
$$;

grant usage on schema public to parley_tenant;

-- The workspaces that the running transaction may touch.
create function tenant_workspaces() returns uuid[]
  language sql stable parallel safe
  as $$ select string_to_array(nullif(current_setting('parley.workspaces', true), ''), ',')::uuid[] $$;

-- Gives a table its workspace_id column, its primary key (workspace_id, id) and its row policy.
create function tenant_table(table_name regclass, key_columns text default 'id') returns void
  language plpgsql
  as $$
begin
  execute format('alter table %s add column workspace_id uuid not null', table_name);
  execute format('alter table %s add primary key (workspace_id, %s)', table_name, key_columns);
  perform tenant_rows(table_name);
end
$$;

-- The row policy alone, for a table that lays out its own columns. Coalesce keeps the planner from
-- counting the policy beside a statement's own workspace_id = …, which would make it expect one row
-- and walk the whole workspace. The policy only filters: every statement names its workspace.
create function tenant_rows(table_name regclass, workspace_column text default 'workspace_id') returns void
  language plpgsql
  as $$
begin
  execute format('alter table %s enable row level security', table_name);
  execute format(
    'create policy tenant on %s to parley_tenant using (coalesce(%I = any ((select tenant_workspaces())::uuid[]), false))',
    table_name, workspace_column);
  execute format('grant select, insert, update, delete on %s to parley_tenant', table_name);
end
$$;

-- Fails the transaction when a write touched fewer rows than it had to: its answer need not be waited for.
create function expect_rows(touched bigint, wanted bigint) returns void
  language plpgsql
  as $$
begin
  if touched <> wanted then
    raise exception 'expected % rows, touched %', wanted, touched using errcode = '40001';
  end if;
end
$$;

-- Notifies every process, once the change commits, that what it remembers of a workspace is stale.
create function announce_workspace_change() returns trigger
  language plpgsql
  as $$
declare
  changed jsonb := to_jsonb(coalesce(new, old));
begin
  perform pg_notify('parley_changes', coalesce(changed ->> 'workspace_id', changed ->> 'id'));
  return null;
end
$$;

create table workspaces (
  id                uuid primary key,
  name              text not null,
  plan              text not null check (plan in ('free', 'pro', 'enterprise', 'unlimited')),
  sandbox           boolean not null default false,
  country_code      text not null default '91',
  timezone          text not null default 'Asia/Kolkata',
  -- How far this workspace's time runs ahead of the real one (sandbox only).
  clock_offset_ms   bigint not null default 0 check (clock_offset_ms >= 0 and (sandbox or clock_offset_ms = 0)),
  -- Who moves it just now, and until when nobody else does (real time).
  clock_mover       uuid,
  clock_moved_until timestamptz,
  lead_capture      boolean not null default false,
  capture_token     text not null unique,
  social_addon      boolean not null default false,
  social_enabled    boolean not null default true,
  modules           text[] not null default '{}',
  -- Overrides of the plan's numbers; null takes the plan's.
  contact_limit     integer check (contact_limit >= 0),
  message_allowance integer check (message_allowance >= 0),
  created_at        timestamptz not null
);
select tenant_rows('workspaces', 'id');
create trigger announce after insert or update or delete on workspaces
  for each row execute function announce_workspace_change();
create index workspaces_clock_moved on workspaces (clock_moved_until) where clock_mover is not null;

-- Exact counts that the plan limits: people stored, and messages accepted in a month of the workspace's time.
create table workspace_usage (
  workspace_id   uuid primary key,
  contacts       bigint not null default 0,
  month          text not null default '',
  messages       bigint not null default 0
) with (fillfactor = 50);
select tenant_rows('workspace_usage');

-- What processes may remember of a workspace, as what it was at one version: its people and numbers, the stages of its leads,
-- and who gets new ones. Whoever finds the version that they know need not read those again.
create table reference_versions (
  workspace_id uuid primary key,
  -- Of no order, and never used twice: one that was rolled back does not come again with something else behind it.
  version      uuid not null
) with (fillfactor = 50);
select tenant_rows('reference_versions');

create function renew_reference_versions() returns trigger
  language plpgsql
  as $$
declare
  ids uuid[];
begin
  if tg_level = 'ROW' then
    ids := array[coalesce(new.workspace_id, old.workspace_id)];
  else
    select array_agg(distinct workspace_id) into ids from changed;
  end if;
  -- Where all of a workspace goes, its version may have gone before: it is not to come again.
  if tg_op = 'DELETE' then
    update reference_versions set version = gen_random_uuid() where workspace_id = any (ids);
  else
    insert into reference_versions select id, gen_random_uuid() from unnest(ids) id
    on conflict (workspace_id) do update set version = excluded.version;
  end if;
  return null;
end
$$;

-- Has each statement that changes this table renew the versions of the workspaces whose rows it changes.
create function versioned_table(table_name regclass) returns void
  language plpgsql
  as $$
declare
  of_change text;
begin
  foreach of_change in array '{insert,update,delete}'::text[] loop
    execute format(
      'create trigger renew_on_%1$s after %1$s on %2$s referencing %3$s table as changed
         for each statement execute function renew_reference_versions()',
      of_change, table_name, case of_change when 'delete' then 'old' else 'new' end);
  end loop;
end
$$;

create table members (
  id         uuid not null,
  email      text not null,
  name       text not null,
  role       text not null check (role in ('admin', 'agent', 'viewer')),
  owner      boolean not null default false,
  left_at    timestamptz,
  created_at timestamptz not null
);
select tenant_table('members');
create unique index members_email on members (workspace_id, lower(email)) where left_at is null;
create trigger announce after insert or update or delete on members
  for each row execute function announce_workspace_change();
select versioned_table('members');

create table api_keys (
  id         uuid not null,
  member_id  uuid,
  label      text not null,
  prefix     text not null,
  hash       bytea not null unique check (octet_length(hash) = 32),
  role       text not null check (role in ('admin', 'agent', 'viewer')),
  scopes     text[],
  allow_ips  text[],
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null
);
select tenant_table('api_keys');
create trigger announce after insert or update or delete on api_keys
  for each row execute function announce_workspace_change();

create table phone_numbers (
  id                uuid not null,
  number            text not null,
  display_name      text not null,
  operator          text not null check (operator in ('simulator', 'cloud')),
  -- active, or why nothing can be sent: number_banned, sending_blocked, disconnected.
  state             text not null default 'active' check (state in ('active', 'number_banned', 'sending_blocked', 'disconnected')),
  state_reason      text,
  quality           text not null default 'unknown',
  account_id        text not null,
  operator_id       text not null,
  -- Operator credentials, sealed with PARLEY_SECRET_KEY.
  token_sealed      bytea not null,
  app_secret_sealed bytea not null,
  verify_token_hash bytea not null,
  created_at        timestamptz not null
);
select tenant_table('phone_numbers');
create unique index phone_numbers_number on phone_numbers (workspace_id, number);
create unique index phone_numbers_operator_id on phone_numbers (operator, operator_id);
create trigger announce after insert or update or delete on phone_numbers
  for each row execute function announce_workspace_change();
select versioned_table('phone_numbers');

-- Answers remembered for retries (spec 4.1.1). The row commits with the effect it answers for.
create table idempotency_keys (
  workspace_id uuid not null,
  -- Half of the SHA-256 of who sent the key and the key.
  key_digest   uuid not null,
  fingerprint  bytea not null,
  -- Null while an operation that speaks to the outside is still running.
  status       integer,
  -- Text in UTF-8, or, where that holds more than ids and numbers, sealed under a key that the caller's key is part of.
  answer       bytea,
  -- Of an operation that speaks to the outside, which attempt holds the key: a first request that outlives its release
  -- cannot store its answer.
  attempt      uuid,
  started_at   timestamptz not null,
  expires_at   timestamptz not null,
  primary key (workspace_id, key_digest)
);
select tenant_rows('idempotency_keys');
create index idempotency_keys_expiry on idempotency_keys using brin (expires_at);

-- Background work that has no row of its own elsewhere. run_at is real time, by the offset of the workspace's clock that
-- run_offset_ms says (null: 0). While a sandbox's clock is moved its rows go by the offset from before; afterwards they are
-- aligned with the new one. So it is in every table whose rows fall due (docs/decisions/sandbox-clock.md).
create table jobs (
  id           uuid not null,
  name         text not null,
  payload      jsonb not null,
  run_at       timestamptz not null,
  run_offset_ms bigint,
  attempts     integer not null default 0,
  leased_until timestamptz,
  failed_at    timestamptz,
  last_error   text,
  created_at   timestamptz not null
);
select tenant_table('jobs');
create index jobs_due on jobs (run_at) where failed_at is null;
create index jobs_due_in_workspace on jobs (workspace_id, run_at) where failed_at is null;
create index jobs_offset on jobs (workspace_id, run_offset_ms) where run_offset_ms is not null and failed_at is null;
