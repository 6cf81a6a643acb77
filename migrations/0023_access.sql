-- Who signs in to the dashboard. An account belongs to a person and to the whole installation, not to a workspace: one
-- sign-in opens every workspace that the person is a member of. The role parley_tenant has no rights on these tables.

create table accounts (
  id                  uuid primary key,
  -- What its person signs in by; null where they come by links or passkeys alone.
  email               text,
  name                text not null,
  -- argon2id, with its parameters and salt.
  password_hash       text,
  -- Sealed with PARLEY_SECRET_KEY; pending until its first code was given.
  totp_sealed         bytea,
  totp_pending_sealed bytea,
  -- The step of the last code that was taken: no code is taken twice.
  totp_step           bigint not null default 0,
  recovery_hashes     bytea[] not null default '{}',
  created_at          timestamptz not null
);
create unique index accounts_email on accounts (lower(email)) where email is not null;

alter table members add column account_id uuid;
create unique index members_account on members (account_id, workspace_id) where account_id is not null and left_at is null;
create index members_by_account on members (account_id) where account_id is not null;

create table sessions (
  id             uuid primary key,
  account_id     uuid not null references accounts on delete cascade,
  token_hash     bytea not null unique check (octet_length(token_hash) = 32),
  issued_at      timestamptz not null,
  -- The token before this one lives a little longer, for requests that were under way.
  previous_hash  bytea unique,
  previous_until timestamptz,
  method         text not null check (method in ('link', 'password', 'totp', 'recovery', 'passkey', 'invitation', 'reset')),
  -- Whether its person gave a second factor: a passkey, or a code besides the password.
  strong         boolean not null,
  confirmed_at   timestamptz not null,
  last_seen_at   timestamptz not null,
  address        text not null,
  device         text not null,
  created_at     timestamptz not null,
  ended_at       timestamptz,
  ended_because  text
);
create index sessions_of_account on sessions (account_id) where ended_at is null;
create index sessions_age on sessions (created_at);

create table passkeys (
  id            uuid primary key,
  account_id    uuid not null references accounts on delete cascade,
  credential_id bytea not null unique,
  public_key    bytea not null,
  counter       bigint not null,
  transports    text[] not null,
  name          text not null,
  created_at    timestamptz not null,
  last_used_at  timestamptz
);
create index passkeys_of_account on passkeys (account_id);

-- Tokens that are good once: links of the command line, resets by mail, second steps of a sign-in, challenges of passkeys.
create table sign_in_tokens (
  hash       bytea primary key check (octet_length(hash) = 32),
  purpose    text not null check (purpose in ('link', 'reset', 'totp', 'passkey', 'email')),
  account_id uuid references accounts on delete cascade,
  member_id  uuid,
  -- What a passkey has to answer, or the new e-mail that a link confirms.
  challenge  text,
  expires_at timestamptz not null,
  created_at timestamptz not null
);
create index sign_in_tokens_age on sign_in_tokens (expires_at);

-- Mails on their way to people who work here, written with what they are about. Sealed: they carry links that are good once.
create table account_mails (
  id         uuid primary key,
  sealed     bytea not null,
  attempts   integer not null default 0,
  -- When it is tried next, which is also until when nobody else takes it.
  run_at     timestamptz not null,
  -- When its link is good no more.
  expires_at timestamptz not null,
  created_at timestamptz not null
);
create index account_mails_due on account_mails (run_at);
grant insert on account_mails to parley_tenant;

-- Sign-ins that failed, by what was tried (a hash) and from where; an empty subject counts all of an address.
create table sign_in_failures (
  subject    bytea not null,
  address    text not null,
  failures   integer not null,
  first_at   timestamptz not null,
  last_at    timestamptz not null,
  wait_until timestamptz,
  primary key (subject, address)
);
create index sign_in_failures_age on sign_in_failures (last_at);

-- How a member without an account gets one, or lets the one they have into the workspace.
create table invitations (
  member_id  uuid not null,
  hash       bytea not null unique check (octet_length(hash) = 32),
  expires_at timestamptz not null,
  created_at timestamptz not null
);
select tenant_table('invitations', 'member_id');

create table workspace_security (
  workspace_id          uuid primary key,
  require_second_factor boolean not null default false,
  idle_days             integer not null default 7 check (idle_days between 1 and 7),
  absolute_days         integer not null default 30 check (absolute_days between 1 and 30)
);
select tenant_rows('workspace_security');

-- How a member has the dashboard arranged, in the dashboard's own words.
create table member_preferences (
  member_id   uuid not null,
  preferences jsonb not null,
  updated_at  timestamptz not null
);
select tenant_table('member_preferences', 'member_id');

-- Reports to every process, once the change commits, that what it remembers of an account is stale.
create function announce_account_change() returns trigger
  language plpgsql
  as $$
declare
  changed jsonb := to_jsonb(coalesce(new, old));
begin
  perform pg_notify('parley_accounts', coalesce(changed ->> 'account_id', changed ->> 'id'));
  return null;
end
$$;
create trigger announce after update or delete on accounts
  for each row execute function announce_account_change();
-- When somebody was last seen is no news.
create trigger announce after delete or update of token_hash, strong, confirmed_at, ended_at on sessions
  for each row execute function announce_account_change();
create trigger announce after insert or update or delete on workspace_security
  for each row execute function announce_workspace_change();

-- How long sessions live is remembered with them, by account.
create function announce_security_change() returns trigger
  language plpgsql
  as $$
begin
  perform pg_notify('parley_accounts', account_id::text) from members
  where workspace_id = coalesce(new.workspace_id, old.workspace_id) and account_id is not null and left_at is null;
  return null;
end
$$;
create trigger announce_to_accounts after insert or update or delete on workspace_security
  for each row execute function announce_security_change();

-- An account without any membership is nobody's: it goes with its last one, when a workspace is erased.
create function delete_lone_account() returns trigger
  language plpgsql
  as $$
begin
  delete from accounts where id = old.account_id and not exists (select from members where account_id = old.account_id);
  delete from sign_in_tokens where member_id = old.id;
  return null;
end
$$;
create trigger delete_lone_account after delete on members
  for each row execute function delete_lone_account();
