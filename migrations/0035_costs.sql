-- What the operator charges, the rates that it charges by, the wallet that pays for it, and trials of a plan.

-- Messages by whether the operator charges for them, each once, on the day on which its report was taken in.
create table priced_days (
  day      text not null,
  -- The country of the recipient, ISO 3166: IN. ZZ: unknown.
  market   text not null,
  -- In the operator's words.
  category text not null,
  billing  text not null check (billing in ('free', 'charged', 'unknown')),
  messages bigint not null
);
select tenant_table('priced_days', 'day, market, category, billing');

-- What transactions add to them: written beside the facts, read together with the days, added up now and then.
create table priced_deltas (
  id       uuid not null,
  day      text not null,
  market   text not null,
  category text not null,
  billing  text not null check (billing in ('free', 'charged', 'unknown')),
  messages integer not null
);
select tenant_table('priced_deltas');

-- What one message costs from a day on. Market *: every country without a rate of its own.
create table rates (
  market      text not null,
  category    text not null,
  valid_from  text not null,
  -- Of a unit of the currency.
  millionths  bigint not null check (millionths >= 0),
  currency    text not null,
  imported_at timestamptz not null
);
select tenant_table('rates', 'market, category, valid_from');

-- Prepaid money. Whoever writes an entry holds this row; what was written never changes.
create table wallets (
  workspace_id    uuid primary key,
  enabled         boolean not null,
  enforced        boolean not null,
  currency        text not null,
  balance_minor   bigint not null default 0,
  -- The last day that was charged.
  charged_through text not null,
  -- When the next day is charged, in real time; null: the wallet is off.
  run_at          timestamptz,
  run_offset_ms   bigint,
  check (enabled = (run_at is not null))
);
select tenant_rows('wallets');
create index wallets_due on wallets (run_at) where run_at is not null;

create table wallet_entries (
  id                  uuid not null,
  kind                text not null check (kind in ('topup', 'charge', 'refund', 'adjustment')),
  amount_minor        bigint not null check (amount_minor <> 0),
  balance_after_minor bigint not null,
  description         text not null,
  -- Of a charge: its day and category.
  reference           text,
  created_at          timestamptz not null
);
select tenant_table('wallet_entries');
create unique index wallet_entries_reference on wallet_entries (workspace_id, kind, reference) where reference is not null;

alter table workspaces
  -- The wallet is empty and enforced: nothing is sent.
  add column wallet_empty    boolean not null default false,
  -- A plan on trial: until when, and the plan that comes after it. A workspace tries a plan once.
  add column trial_ends_at   timestamptz,
  add column trial_falls_to  text,
  add column trial_used      boolean not null default false,
  add check ((trial_ends_at is null) = (trial_falls_to is null));
create index workspaces_trial_ends on workspaces (trial_ends_at) where trial_ends_at is not null;
