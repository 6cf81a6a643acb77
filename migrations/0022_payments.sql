-- Payments in the chat: a workspace's gateway, what customers are asked to pay, and what the gateway reports.

-- One gateway a workspace. Secrets are sealed with PARLEY_SECRET_KEY; those of the simulated one are derived from it. A sandbox
-- without a row has the simulated gateway as it is unless set.
create table payment_gateways (
  workspace_id          uuid primary key,
  provider              text not null check (provider in ('simulator', 'razorpay')),
  key_id                text not null,
  key_secret_sealed     bytea,
  webhook_secret_sealed bytea,
  -- The operator's payment configuration that customers pay through; null: they pay by payment links.
  configuration         text,
  -- What the operator last said of it, in lower case; null: nothing yet.
  configuration_status  text,
  -- Who imports what is sold, as the operator wants to know of every item; null: the workspace itself.
  importer              jsonb,
  connected_at          timestamptz not null,
  check ((provider = 'simulator') = (key_secret_sealed is null)),
  check ((key_secret_sealed is null) = (webhook_secret_sealed is null))
);
select tenant_rows('payment_gateways');

create table payment_requests (
  id              uuid not null,
  conversation_id uuid not null,
  contact_id      uuid not null,
  phone_number_id uuid not null,
  -- The message that asks; it is held back until its payment link is there.
  message_id      uuid not null,
  -- The caller's own order number.
  reference_id    text not null,
  status          text not null check (status in ('created', 'sent', 'paid', 'failed', 'expired', 'cancelled')),
  items           jsonb not null,
  shipping_paise  integer not null check (shipping_paise >= 0),
  total_paise     integer not null check (total_paise between 1 and 50000000),
  body            text not null,
  expires_at      timestamptz,
  provider        text not null,
  -- The operator's configuration it is paid through; null: by a payment link.
  configuration   text,
  -- When the gateway was first asked for the link: from then on there may be one.
  link_asked_at   timestamptz,
  link_id         text,
  link_url        text,
  -- Why it failed: {source, code, message, at}.
  failure         jsonb,
  sent_at         timestamptz,
  paid_at         timestamptz,
  paid_paise      integer check (paid_paise > 0),
  payment_method  text,
  -- The gateway's id of the payment that counted.
  payment_id      text,
  refunded_paise  integer not null default 0,
  -- Payments that came in although it was paid: [{paymentId, paidPaise, paymentMethod, paidAt}].
  further_payments jsonb not null default '[]',
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  check ((status = 'paid') = (paid_at is not null and paid_paise is not null))
) with (fillfactor = 80);
select tenant_table('payment_requests');
create unique index payment_requests_reference on payment_requests (workspace_id, reference_id);
create index payment_requests_status on payment_requests (workspace_id, status, id);
create index payment_requests_contact on payment_requests (workspace_id, contact_id);
create index payment_requests_message on payment_requests (workspace_id, message_id);
create index payment_requests_payment on payment_requests (workspace_id, payment_id) where payment_id is not null;
create trigger erase_payment_requests after delete on contacts referencing old table as erased
  for each statement execute function erase_dependents('payment_requests', 'contact_id');

-- Nobody is left to pay for a request that is gone: whatever deletes its row leaves a job behind that cancels its link.
create function cancel_erased_links() returns trigger
  language plpgsql
  as $$
begin
  insert into jobs (workspace_id, id, name, payload, run_at, created_at, outside)
  select workspace_id, gen_random_uuid(), 'cancelErasedLink', jsonb_build_object('linkId', link_id), to_timestamp(0), created_at, true
  from erased where link_id is not null and status in ('created', 'sent', 'failed');
  return null;
end
$$;
create trigger cancel_erased_links after delete on payment_requests referencing old table as erased
  for each statement execute function cancel_erased_links();

-- What the gateway reported, stored as it came before anything is done about it. The row stays for a week without the
-- bytes, so that a report that comes again is known.
create table gateway_posts (
  id          uuid not null,
  -- The gateway's id of the event, else the SHA-256 of its bytes.
  event_id    text not null,
  -- Null once it was applied.
  raw         bytea,
  run_at      timestamptz not null,
  run_offset_ms bigint,
  attempts    integer not null default 0,
  failed_at   timestamptz,
  last_error  text,
  received_at timestamptz not null
);
select tenant_table('gateway_posts');
create unique index gateway_posts_event on gateway_posts (workspace_id, event_id);
create index gateway_posts_due on gateway_posts (run_at, id) where raw is not null and failed_at is null;
create index gateway_posts_due_in_workspace on gateway_posts (workspace_id, run_at, id) where raw is not null and failed_at is null;
create index gateway_posts_offset on gateway_posts (workspace_id, run_offset_ms)
  where run_offset_ms is not null and raw is not null and failed_at is null;
create index gateway_posts_age on gateway_posts (received_at);
