-- The operator's time of the last quality that it reported of a template: what was reported before it comes too late.
alter table templates add column quality_reported_at timestamptz;
