-- Which field is what, as a person decided for submissions of one shape (docs/decisions/lead-capture.md).
create table capture_mappings (
  workspace_id uuid not null,
  -- SHA-256 of the form and the paths of its fields.
  shape        bytea not null,
  form         text,
  -- {path: meaning}
  fields       jsonb not null,
  updated_at   timestamptz not null,
  primary key (workspace_id, shape)
);
select tenant_rows('capture_mappings');
create index capture_mappings_form on capture_mappings (workspace_id, form, updated_at) where form is not null;
create index capture_mappings_age on capture_mappings (workspace_id, updated_at);
-- Processes remember whether a workspace has any.
create trigger announce after insert or delete on capture_mappings
  for each row execute function announce_workspace_change();
