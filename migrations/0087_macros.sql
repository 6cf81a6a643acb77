-- Several actions on a chat that a teammate runs together.
create table macros (
  id         uuid not null,
  name       text not null,
  -- The name in lower case: unique in any case.
  name_key   text not null,
  actions    jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
select tenant_table('macros');
create unique index macros_name on macros (workspace_id, name_key);
