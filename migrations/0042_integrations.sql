-- What a workspace is connected to, and the orders that its shops report.

-- One of each name. The payment gateway has a table of its own.
create table integrations (
  name           text not null check (name in ('shopify', 'woocommerce', 'orders', 'ai', 'simulator')),
  settings       jsonb not null,
  -- A JSON object of all its secrets, sealed with PARLEY_SECRET_KEY; null: it has none.
  secrets_sealed bytea,
  -- The last part of the address that it reports to; null: it does not.
  intake_token   text,
  shop_id        text,
  last_event_at  timestamptz,
  last_error     text,
  connected_at   timestamptz not null,
  updated_at     timestamptz not null
);
select tenant_table('integrations', 'name');
create unique index integrations_intake_token on integrations (intake_token) where intake_token is not null;

-- What a shop reported, stored as it came before anything is done about it. The row stays for a week without the bytes, so
-- that a delivery that comes again is known.
create table shop_deliveries (
  id            uuid not null,
  -- Which integration it came to, whose format it has, and of which shop it is.
  integration   text not null,
  provider      text not null check (provider in ('shopify', 'woocommerce', 'orders')),
  shop_id       text not null,
  -- The shop's id of it, else a hash of what it says.
  delivery_id   text not null,
  topic         text not null,
  -- The order that it is about, and what it says has happened to it.
  reference     text,
  types         text[] not null default '{}',
  -- What became of it; null: it waits, or could not be applied.
  outcome       text check (outcome in ('applied', 'repeat', 'other_topic', 'no_order', 'draft')),
  -- How often the shop sent it again.
  repeats       integer not null default 0,
  -- Null once something became of it.
  raw           bytea,
  run_at        timestamptz not null,
  run_offset_ms bigint,
  attempts      integer not null default 0,
  failed_at     timestamptz,
  last_error    text,
  -- In the workspace's time.
  received_at   timestamptz not null,
  check (raw is not null or outcome is not null)
);
select tenant_table('shop_deliveries');
create unique index shop_deliveries_delivery on shop_deliveries (workspace_id, integration, delivery_id);
create index shop_deliveries_due on shop_deliveries (run_at, id) where raw is not null and failed_at is null;
create index shop_deliveries_due_in_workspace on shop_deliveries (workspace_id, run_at, id)
  where raw is not null and failed_at is null;
create index shop_deliveries_offset on shop_deliveries (workspace_id, run_offset_ms)
  where run_offset_ms is not null and raw is not null and failed_at is null;
create index shop_deliveries_listed on shop_deliveries (workspace_id, integration, id);
create index shop_deliveries_age on shop_deliveries (received_at);

-- One of each number of a shop. A time says that its event has fired.
create table orders (
  id               uuid not null,
  integration      text not null,
  provider         text not null check (provider in ('shopify', 'woocommerce', 'orders')),
  shop_id          text not null,
  reference        text not null,
  -- The shop's own id of it, by which it is asked about.
  external_id      text,
  contact_id       uuid,
  phone            text,
  customer_name    text,
  total            numeric(15, 2),
  currency         text,
  url              text,
  item_count       integer,
  cash_on_delivery boolean not null,
  placed_at        timestamptz,
  paid_at          timestamptz,
  shipped_at       timestamptz,
  cancelled_at     timestamptz,
  -- Of which moment at the shop this is.
  reported_at      timestamptz not null,
  -- Its customer was erased: nobody is named again.
  erased           boolean not null default false,
  created_at       timestamptz not null
);
select tenant_table('orders');
create unique index orders_reference on orders (workspace_id, provider, shop_id, reference);
create index orders_contact on orders (workspace_id, contact_id, id) where contact_id is not null;
-- Of customers for whom the plan had no room.
create index orders_phone on orders (workspace_id, phone) where contact_id is null and phone is not null;
create index orders_by_reference on orders (workspace_id, reference, id);

-- Whether a customer wants what they are to pay for in cash. While run_at is set, it is the work.
create table cod_questions (
  order_id        uuid not null,
  contact_id      uuid not null,
  status          text not null
    check (status in ('waiting', 'asked', 'confirmed', 'disowned', 'expired', 'dropped', 'failed')),
  run_at          timestamptz,
  run_offset_ms   bigint,
  -- The message that asked last.
  message_id      uuid,
  asked_at        timestamptz,
  reminded_at     timestamptz,
  expires_at      timestamptz,
  answered_at     timestamptz,
  failure         text,
  created_at      timestamptz not null,
  check (run_at is null or status in ('waiting', 'asked'))
);
select tenant_table('cod_questions', 'order_id');
create index cod_questions_contact on cod_questions (workspace_id, contact_id);
create index cod_questions_due on cod_questions (run_at) where run_at is not null;
create index cod_questions_due_in_workspace on cod_questions (workspace_id, run_at) where run_at is not null;
create index cod_questions_offset on cod_questions (workspace_id, run_offset_ms)
  where run_offset_ms is not null and run_at is not null;
create trigger erase_cod_questions after delete on contacts referencing old table as erased
  for each statement execute function erase_dependents('cod_questions', 'contact_id');

-- An order keeps number, sum and times; who ordered goes with them, and what is reported of it later names nobody.
create function erase_orders() returns trigger
  language plpgsql
  as $$
begin
  update orders o set contact_id = null, phone = null, customer_name = null, url = null, erased = true from erased
  where o.workspace_id = erased.workspace_id and o.contact_id = erased.id;
  update orders o set phone = null, customer_name = null, url = null, erased = true from erased
  where o.workspace_id = erased.workspace_id and o.contact_id is null and o.phone = erased.phone;
  return null;
end
$$;
create trigger erase_orders after delete on contacts referencing old table as erased
  for each statement execute function erase_orders();
