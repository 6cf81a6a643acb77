-- The oldest version that works with the tables after a migration that removes something (docs/decisions/migrations.md).
-- Null: the version before it works too.
alter table schema_migrations add column if not exists oldest_version text;
