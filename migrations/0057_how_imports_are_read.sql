-- How a file of contacts is read: each row is stored as a list of its cells, the one that names the columns too. Rows are numbered from 1
-- below that row as it was found; it has 0, and those above it less. An older version stored cells by column, and no row of names.
alter table import_files
  add column encoding     text,
  -- Rows with a higher number are data. The line that names the columns; null where none does.
  add column heading      integer not null default 0,
  add column heading_line integer,
  -- What all values of each column say about how they are written, in the order of the columns.
  add column evidence     jsonb,
  -- What a person chose: the column of the country, and formats by column.
  add column choices      jsonb;
