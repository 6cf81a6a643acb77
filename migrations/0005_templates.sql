-- Message templates as the operator holds them (spec 2.8).

create table templates (
  id               uuid not null,
  -- The operator's business account; a name has one template in each language there.
  account_id       text not null,
  name             text not null,
  -- With an underscore: en_US.
  language         text not null,
  -- MARKETING, UTILITY, AUTHENTICATION; the operator may change it.
  category         text not null,
  status           text not null check (status in ('pending', 'approved', 'rejected', 'paused', 'disabled')),
  -- The operator's id; null until it is known that the operator has it.
  meta_template_id text,
  parameter_format text not null check (parameter_format in ('POSITIONAL', 'NAMED')),
  components       jsonb not null,
  rejected_reason  text,
  quality          text not null default 'UNKNOWN',
  -- submitting: a request is asking the operator, until submitting_until at the latest;
  -- unconfirmed: whether the operator has it is not known; submitted: it has.
  submission       text not null check (submission in ('submitting', 'unconfirmed', 'submitted')),
  -- Which request holds it: one that outlives its time cannot record its outcome.
  attempt          uuid,
  submitting_until timestamptz,
  -- When the operator's list showed it last.
  synced_at        timestamptz not null,
  -- The operator's time of the last status, the last category, and the last wording that it reported.
  status_reported_at     timestamptz,
  category_reported_at   timestamptz,
  components_reported_at timestamptz,
  created_at       timestamptz not null,
  updated_at       timestamptz not null
);
select tenant_table('templates');
-- Names of templates that were deleted after the operator had approved them: it takes none of that name for a while.
create table closed_template_names (
  account_id text not null,
  name       text not null,
  language   text not null,
  until      timestamptz not null
);
select tenant_table('closed_template_names', 'account_id, name, language');

create unique index templates_name on templates (workspace_id, name, language, account_id);
create index templates_meta_id on templates (workspace_id, meta_template_id) where meta_template_id is not null;
