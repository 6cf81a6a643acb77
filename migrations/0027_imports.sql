-- Files of leads and contacts that somebody uploads on the page, and their rows until they are taken in.
create table import_files (
  id         uuid not null,
  filename   text not null,
  columns    jsonb not null,
  -- reading: on its way in. ready: to be mapped. checking, checked: a rehearsal that writes nothing. running, done: taken in.
  state      text not null check (state in ('reading', 'ready', 'checking', 'checked', 'running', 'done', 'failed')),
  -- Counts rehearsals and runs: a job of an earlier one is good for nothing.
  run        integer not null default 0,
  kind       text check (kind in ('contacts', 'leads')),
  -- Fields of ours by column, and texts that hold for every row by field.
  mapping    jsonb,
  constants  jsonb,
  error      text,
  rows       integer not null default 0,
  -- The number of the last row that the rehearsal or the run has passed.
  done       integer not null default 0,
  created    integer not null default 0,
  updated    integer not null default 0,
  refused    integer not null default 0,
  -- People that a rehearsal would have stored so far: they count against the limit of contacts.
  people     integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
select tenant_table('import_files');
create index import_files_age on import_files (created_at);

-- A row goes when it is taken in; one that was refused stays with its reason, for the list of them.
create table import_rows (
  import_id uuid not null,
  number    integer not null,
  -- In the file; the first that the row is on.
  line      integer not null,
  cells     jsonb not null,
  -- Every number that stands in a cell, so that the row goes with its contact, whatever its columns mean.
  phones    jsonb not null,
  -- Why the row cannot be read.
  fault     text,
  -- Of the last rehearsal or run.
  outcome   text check (outcome in ('created', 'updated', 'refused')),
  phone     text,
  reason    text
);
select tenant_table('import_rows', 'import_id, number');
create index import_rows_outcome on import_rows (workspace_id, import_id, outcome, phone) where outcome is not null;
create trigger erase_import_rows after delete on import_files referencing old table as erased
  for each statement execute function erase_dependents('import_rows', 'import_id');

-- What stands in a file about somebody goes with them, by any number that they had. tg_argv[0] names its column.
create function forget_import_rows() returns trigger
  language plpgsql
  as $$
begin
  execute format(
    'delete from import_rows r using erased where r.workspace_id = erased.workspace_id and r.phones ? erased.%I', tg_argv[0]);
  return null;
end
$$;
create trigger forget_import_rows after delete on contacts referencing old table as erased
  for each statement execute function forget_import_rows('phone');
create trigger forget_import_rows after delete on contact_aliases referencing old table as erased
  for each statement execute function forget_import_rows('key');
