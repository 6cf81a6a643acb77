-- Campaigns that compare two or three templates with a sample of their audience, and send the better one to the rest
-- (src/modules/messaging/broadcasts/DECISIONS.md "Comparing templates"). All null: a campaign with one template.
alter table broadcasts
  -- The share of the audience that gets the variants, in percent.
  add column sample_percent integer check (sample_percent between 1 and 100),
  add column decide_by      text check (decide_by in ('read', 'replied', 'tapped', 'manual')),
  -- The time from the end of the sample to the decision.
  add column wait_minutes   integer,
  -- sample: the sample is sent; measure: its results are awaited; decided: the rest gets the winner.
  add column test_phase     text check (test_phase in ('sample', 'measure', 'decided')),
  -- When the winner is chosen (workspace's time); null: an admin chooses it.
  add column decides_at     timestamptz,
  add column decided_at     timestamptz,
  -- The number of the variant for the rest.
  add column winner         integer;

-- The templates that a campaign compares. Until the decision, the campaign itself has the content of the first.
create table broadcast_variants (
  broadcast_id  uuid not null,
  number        integer not null check (number between 1 and 3),
  template_id   uuid not null,
  template_name text not null,
  -- Its share of the sample, in percent.
  share         integer not null check (share between 1 and 99),
  variables     jsonb,
  content       jsonb not null,
  template_text text,
  personal      jsonb
);
select tenant_table('broadcast_variants', 'broadcast_id, number');

-- The variant of a recipient in the sample.
alter table broadcast_recipients add column variant integer;
