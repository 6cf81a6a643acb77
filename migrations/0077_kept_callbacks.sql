-- Callbacks and submissions that arrive while their workspace moves, as they arrived. They are applied here if the workspace
-- stays or has arrived, and else passed on to its new cell (docs/decisions/workspace-moves.md).
create table kept_callbacks (
  id          uuid not null,
  method      text not null,
  -- The address without the host, with its query.
  path        text not null,
  headers     jsonb not null,
  body        bytea not null,
  -- The client's address, for limits.
  sender      text not null,
  run_at      timestamptz not null,
  attempts    integer not null default 0,
  last_error  text,
  -- Set aside for good.
  failed_at   timestamptz,
  received_at timestamptz not null
);
select tenant_table('kept_callbacks');
create index kept_callbacks_due on kept_callbacks (run_at) where failed_at is null;
create index kept_callbacks_failed on kept_callbacks (failed_at) where failed_at is not null;
