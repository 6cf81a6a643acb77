-- The sales CRM: the pipeline, leads with their timeline, who gets new ones.

create table pipeline_stages (
  id         uuid not null,
  name       text not null,
  color      text not null,
  kind       text not null check (kind in ('initial', 'active', 'won', 'lost')),
  position   integer not null,
  created_at timestamptz not null,
  -- A removed stage is read as the one in its place, so that its leads need not be written.
  removed_at timestamptz,
  replaced_by uuid,
  check ((removed_at is null) = (replaced_by is null))
);
select tenant_table('pipeline_stages');
create unique index pipeline_stages_name on pipeline_stages (workspace_id, lower(name)) where removed_at is null;
-- Exactly one initial stage: this keeps it from becoming two, the operations from becoming none.
create unique index pipeline_stages_initial on pipeline_stages (workspace_id) where kind = 'initial' and removed_at is null;
select versioned_table('pipeline_stages');

create table lost_reasons (
  id         uuid not null,
  label      text not null,
  position   integer not null,
  created_at timestamptz not null,
  -- Leads that were lost for a removed reason keep showing it.
  removed_at timestamptz
);
select tenant_table('lost_reasons');
create unique index lost_reasons_label on lost_reasons (workspace_id, lower(label)) where removed_at is null;
select versioned_table('lost_reasons');

-- Who gets a new lead that names no owner. `turns` counts those given out round robin.
create table lead_assignment (
  workspace_id uuid primary key,
  mode         text not null check (mode in ('none', 'round_robin', 'fixed')),
  member_ids   uuid[] not null default '{}',
  turns        bigint not null default 0
);
select tenant_rows('lead_assignment');
-- Not for the turns, which every batch of leads may take some of.
create trigger renew after insert or delete or update of mode, member_ids on lead_assignment
  for each row execute function renew_reference_versions();

create table leads (
  id                uuid not null,
  contact_id        uuid not null,
  -- The digits of the contact's number (spec 2.1).
  phone             text not null check (phone ~ '^[0-9]{7,15}$'),
  name              text,
  email             text,
  stage_id          uuid not null,
  lost_reason_id    uuid,
  rating            integer not null default 0 check (rating between 0 and 5),
  source            text,
  owner_id          uuid,
  deal_value        numeric(14, 2) not null default 0 check (deal_value >= 0),
  -- Of payments in any currency: some have three decimals, of some a million is little.
  paid_total        numeric(24, 3) not null default 0,
  tags              text[] not null default '{}',
  attributes        jsonb not null default '{}',
  -- The due time of the earliest pending task, else what was set by hand.
  next_follow_up_at timestamptz,
  manual_follow_up_at timestamptz,
  capture_count     integer not null default 1 check (capture_count > 0),
  last_captured_at  timestamptz not null,
  stage_changed_at  timestamptz not null,
  created_at        timestamptz not null,
  updated_at        timestamptz not null
) with (fillfactor = 85);
select tenant_table('leads');
create unique index leads_phone on leads (workspace_id, phone);
create unique index leads_contact on leads (workspace_id, contact_id);
create index leads_stage on leads (workspace_id, stage_id, created_at, id);
create index leads_owner on leads (workspace_id, owner_id, created_at, id);
create trigger erase_leads after delete on contacts referencing old table as erased
  for each statement execute function erase_dependents('leads', 'contact_id');
-- A customer who changes number takes their lead along: its number is that of its contact, always.
create function follow_contact_number() returns trigger
  language plpgsql
  as $$
begin
  update leads set phone = ltrim(new.phone, '+'), updated_at = new.updated_at
  where workspace_id = new.workspace_id and contact_id = new.id;
  return null;
end
$$;
create trigger follow_contact_number after update on contacts for each row
  when (old.phone is distinct from new.phone and new.phone like '+%')
  execute function follow_contact_number();

-- What happened to a lead, in order; notes are entries too.
create table lead_timeline (
  id         uuid not null,
  lead_id    uuid not null,
  -- captured, recaptured, stage_changed, owner_changed, note, task_created, task_completed …
  kind       text not null,
  -- Who, and by what means: {kind, id, name}.
  actor      json not null,
  via        text not null,
  data       json not null,
  created_at timestamptz not null
);
select tenant_table('lead_timeline');
create index lead_timeline_lead on lead_timeline (workspace_id, lead_id, id);
create trigger erase_lead_timeline after delete on leads referencing old table as erased
  for each statement execute function erase_dependents('lead_timeline', 'lead_id');

-- Enquiries of the capture link, so that a portal that sends one again is recognised (24 hours).
create table lead_submissions (
  workspace_id uuid not null,
  phone        text not null,
  -- SHA-256 of form and content.
  digest       bytea not null,
  submitted_at timestamptz not null,
  primary key (workspace_id, phone, digest)
);
select tenant_rows('lead_submissions');
create index lead_submissions_age on lead_submissions using brin (submitted_at);

-- Who is erased and comes in again is new: nothing of them is recognised, by no number that they had. tg_argv[0] names its column.
create function forget_submissions() returns trigger
  language plpgsql
  as $$
begin
  execute format(
    'delete from lead_submissions s using erased where s.workspace_id = erased.workspace_id and s.phone = erased.%I', tg_argv[0]);
  return null;
end
$$;
create trigger forget_submissions after delete on contacts referencing old table as erased
  for each statement execute function forget_submissions('phone');
create trigger forget_submissions after delete on contact_aliases referencing old table as erased
  for each statement execute function forget_submissions('key');
