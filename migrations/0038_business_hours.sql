-- When a business is open: ranges of each day of the week, and days that differ. No row: nobody has said.
create table business_hours (
  workspace_id uuid primary key,
  time_zone    text not null,
  -- [{day 1-7, from, to}]
  weekly       jsonb not null,
  -- [{date, ranges: [{from, to}]}]
  overrides    jsonb not null,
  updated_at   timestamptz not null
);
select tenant_rows('business_hours');
