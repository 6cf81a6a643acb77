-- Imports of past messages from other tools and from files (src/modules/automating/history-imports/DECISIONS.md).
create table history_imports (
  id              uuid not null,
  source          text not null,
  -- reading: its file is on its way in. checking, checked: a dry run.
  state           text not null
    check (state in ('reading', 'checking', 'checked', 'running', 'done', 'failed', 'cancelled')),
  -- Counts runs: a worker of an earlier run changes nothing.
  run             integer not null default 0,
  phone_number_id uuid not null,
  -- The name of the file, or the address of the other tool.
  title           text,
  -- What the source needs to read on. Null after the end.
  settings        jsonb,
  -- A token of the other tool. Null after the end.
  secret_sealed   bytea,
  -- Whether the file is in the media store, under the id.
  has_file        boolean not null default false,
  -- Where the source continues; null: at its beginning.
  position        jsonb,
  -- Null: not known.
  total           integer,
  read            integer not null default 0,
  stored          integer not null default 0,
  known           integer not null default 0,
  contacts        integer not null default 0,
  -- Records that were left out: their number, and their number by cause.
  left_out        integer not null default 0,
  causes          jsonb not null default '{}',
  error           text,
  created_at      timestamptz not null,
  updated_at      timestamptz not null
);
select tenant_table('history_imports');
create unique index history_imports_active on history_imports (workspace_id, source)
  where state in ('checking', 'running');
create index history_imports_age on history_imports (created_at);

-- Records that were left out, without their content; at most some thousands of an import.
create table history_import_left_out (
  import_id uuid not null,
  number    integer not null,
  -- The kind of record, its place in the source, and why it was left out.
  kind      text not null,
  place     text not null,
  cause     text not null
);
select tenant_table('history_import_left_out', 'import_id, number');
-- bears: the rows belong to new tables, and go with their import
create trigger erase_left_out after delete on history_imports referencing old table as erased
  for each statement execute function erase_dependents('history_import_left_out', 'import_id');

-- The file of an import goes after its row, as other files do.
create function erase_history_files() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_ids uuid[];
  row_times timestamptz[];
begin
  select array_agg(workspace_id), array_agg(id), array_agg(created_at)
  into row_workspaces, row_ids, row_times
  from erased where has_file;
  if row_workspaces is null then return null; end if;
  insert into jobs (workspace_id, id, name, payload, run_at, created_at, outside)
  select workspace_id, gen_random_uuid(), 'eraseFile', jsonb_build_object('mediaId', id), to_timestamp(0), created_at, true
  from unnest(row_workspaces, row_ids, row_times) as erased (workspace_id, id, created_at);
  return null;
end
$$;
-- bears: the rows belong to the new table
create trigger erase_history_files after delete on history_imports referencing old table as erased
  for each statement execute function erase_history_files();
