-- Browsers in which members receive push notifications. A subscription belongs to the session that created it.
create table push_subscriptions (
  id            uuid not null,
  member_id     uuid not null,
  session_id    uuid not null,
  -- SHA-256 of the address at the push service, which is the identity of a browser there.
  endpoint_hash bytea not null check (octet_length(endpoint_hash) = 32),
  -- The address and the keys of the browser: anyone with them can write to it.
  target_sealed bytea not null,
  device        text not null,
  created_at    timestamptz not null
);
select tenant_table('push_subscriptions');
create unique index push_subscriptions_endpoint on push_subscriptions (workspace_id, endpoint_hash);
create index push_subscriptions_member on push_subscriptions (workspace_id, member_id, id);
-- Processes remember whether a workspace has any.
create trigger announce after insert or delete on push_subscriptions
  for each row execute function announce_workspace_change();
