-- What each migration's file was when it was applied, so that a file that changed afterwards is found (docs/decisions/migrations.md).
-- `checksum_adopted`: applied before checksums were kept; the checksum is of the file as it was found later.
alter table schema_migrations add column if not exists checksum text;
alter table schema_migrations add column if not exists checksum_adopted boolean not null default false;
