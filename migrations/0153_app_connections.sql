-- Apps that act for a member by OAuth (docs/decisions/assistants.md "Apps that connect in a browser"). Each redeemed one has an
-- API key, so rights, limits, and revocation are those of keys.
create table app_connections (
  id             uuid not null,
  member_id      uuid not null,
  -- As the app named itself.
  client_id      text not null check (length(client_id) <= 2048),
  client_name    text not null,
  redirect_uri   text not null,
  -- What the member allowed; null scopes for everything of the role.
  role           text not null check (role in ('admin', 'agent', 'viewer')),
  scopes         text[],
  -- The code, which the app redeems once. Its hash stays, so that a second use is noticed.
  code_hash      bytea not null check (octet_length(code_hash) = 32),
  code_challenge text not null,
  -- The key of a redeemed code, and the token that renews it.
  key_id         uuid,
  refresh_hash   bytea check (octet_length(refresh_hash) = 32),
  -- The token before it works for moments, in case its answer was lost.
  previous_hash  bytea,
  refreshed_at   timestamptz,
  -- Of the code, then of the token.
  expires_at     timestamptz not null,
  created_at     timestamptz not null,
  check ((key_id is null) = (refresh_hash is null))
);
select tenant_table('app_connections');
create index app_connections_expiry on app_connections (expires_at);
create index app_connections_key on app_connections (workspace_id, key_id) where key_id is not null;
