-- Workspaces that are being erased or were: who asked, how far it is, and what it counted. Nothing in it is about a person
-- but the name that was given with --by, and no workspace sees it.
create table erasures (
  erased_workspace_id uuid primary key,
  requested_by        text not null,
  started_at          timestamptz not null,
  -- Rows removed so far, by table; counted in the transaction that removes them.
  records             jsonb not null default '{}',
  files               bigint not null default 0,
  finished_at         timestamptz
);
