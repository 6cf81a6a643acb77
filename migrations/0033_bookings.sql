-- Bookings: what can be booked, who and what it is booked with, and who comes when.

create extension if not exists btree_gist;

create table booking_settings (
  workspace_id uuid primary key,
  settings     jsonb not null,
  -- Of the page on which customers book; null: it was never opened.
  page_token   text unique,
  updated_at   timestamptz not null
);
select tenant_rows('booking_settings');

-- Whom or what customers come to. Each service without any has one of its own, which nobody sees.
create table booking_staff (
  id          uuid not null,
  name        text not null,
  kind        text not null check (kind in ('person', 'resource')),
  -- The service that it stands for alone; null: it is shown.
  hidden_for  uuid,
  member_id   uuid,
  time_zone   text not null,
  -- [{day, from, to}], [{date, ranges: [{from, to}]}], [{startAt, endAt}]
  weekly      jsonb not null,
  overrides   jsonb not null,
  time_off    jsonb not null,
  active      boolean not null,
  created_at  timestamptz not null,
  updated_at  timestamptz not null,
  -- Bookings of the past still name who they were with.
  deleted_at  timestamptz
);
select tenant_table('booking_staff');

create table booking_services (
  id                    uuid not null,
  name                  text not null,
  description           text,
  duration_minutes      integer not null check (duration_minutes > 0),
  buffer_before_minutes integer not null check (buffer_before_minutes >= 0),
  buffer_after_minutes  integer not null check (buffer_after_minutes >= 0),
  step_minutes          integer not null check (step_minutes > 0),
  capacity              integer not null check (capacity > 0),
  price_minor           bigint not null check (price_minor >= 0),
  tax_rate              numeric(6, 3),
  hsn                   text,
  -- {amountMinor} or {percent}; null: none.
  advance               jsonb,
  refund_policy         text not null check (refund_policy in ('refund', 'keep')),
  min_notice_minutes    integer not null,
  max_days_ahead        integer not null,
  cancel_notice_minutes integer not null,
  location_kind         text not null check (location_kind in ('business', 'customer', 'phone', 'online', 'other')),
  location              text,
  staff_ids             uuid[] not null,
  -- [{label, required}]
  questions             jsonb not null,
  active                boolean not null,
  created_at            timestamptz not null,
  updated_at            timestamptz not null,
  deleted_at            timestamptz
);
select tenant_table('booking_services');

-- A time of somebody that is taken, with the buffers around it; a group shares one. Whoever takes or frees one holds the row of the
-- staff, so that nobody deadlocks; that no two of one person overlap is what the constraint says whatever happens.
create table booking_sessions (
  id          uuid not null,
  service_id  uuid not null,
  staff_id    uuid not null,
  starts_at   timestamptz not null,
  busy_from   timestamptz not null,
  busy_to     timestamptz not null,
  capacity    integer not null,
  seats       integer not null,
  released_at timestamptz,
  created_at  timestamptz not null,
  check (seats between 0 and capacity),
  check (busy_from <= starts_at and starts_at < busy_to)
);
select tenant_table('booking_sessions');
alter table booking_sessions add constraint booking_sessions_apart
  exclude using gist (workspace_id with =, staff_id with =, tstzrange(busy_from, busy_to) with &&) where (released_at is null);
create index booking_sessions_times on booking_sessions (workspace_id, staff_id, busy_from) where released_at is null;

create table bookings (
  id               uuid not null,
  service_id       uuid not null,
  staff_id         uuid not null,
  -- Null: it takes no place.
  session_id       uuid,
  -- Null: the customer was erased.
  contact_id       uuid,
  status           text not null check (status in ('held', 'confirmed', 'completed', 'no_show', 'cancelled', 'expired')),
  start_at         timestamptz not null,
  end_at           timestamptz not null,
  time_zone        text not null,
  duration_minutes integer not null,
  party_size       integer not null check (party_size > 0),
  location_kind    text not null,
  location         text,
  -- Of all seats.
  price_minor      bigint not null,
  currency         text not null,
  refund_policy    text not null,
  -- Null: none was asked for.
  advance_minor    bigint check (advance_minor > 0),
  advance_status   text check (advance_status in ('pending', 'paid', 'waived', 'refund_due', 'refunded', 'kept')),
  advance_paid_at  timestamptz,
  -- The document that has the payment of the advance: its voucher until an invoice takes it over; and the invoice of the visit.
  advance_invoice_id uuid,
  invoice_id       uuid,
  -- What the gateway was asked to collect it by, and where the customer pays.
  payment_link_id  uuid,
  payment_url      text,
  hold_expires_at  timestamptz,
  -- {name, phone, email}
  customer         jsonb not null,
  source           text not null check (source in ('public', 'staff')),
  notes            text,
  -- {label: answer}
  answers          jsonb not null,
  cancel_reason    text,
  -- Of the customer's own page.
  token            text not null,
  notify           boolean not null,
  -- How often it was changed, for calendars.
  changes          integer not null default 0,
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  -- When it was first certain; null: never.
  confirmed_at     timestamptz,
  check ((advance_minor is null) = (advance_status is null)),
  check (status <> 'held' or hold_expires_at is not null),
  check ((session_id is not null) = (status in ('held', 'confirmed', 'completed', 'no_show')))
) with (fillfactor = 80);
select tenant_table('bookings');
create unique index bookings_token on bookings (token);
create index bookings_start on bookings (workspace_id, start_at, id);
create index bookings_status on bookings (workspace_id, status, start_at, id);
create index bookings_service on bookings (workspace_id, service_id, start_at, id);
create index bookings_staff on bookings (workspace_id, staff_id, start_at, id);
create index bookings_contact on bookings (workspace_id, contact_id, start_at, id) where contact_id is not null;
create index bookings_session on bookings (workspace_id, session_id) where session_id is not null;
-- Holds that came to nothing, of which the retention forgets who they were of.
create index bookings_unconfirmed on bookings (start_at)
  where confirmed_at is null and status in ('expired', 'cancelled') and advance_paid_at is null and contact_id is not null;
create index bookings_invoice on bookings (workspace_id, invoice_id) where invoice_id is not null;
create index bookings_held on bookings (workspace_id, staff_id, hold_expires_at) where status = 'held';

-- A draft that is deleted is the invoice of nothing any more: its booking can be invoiced anew.
create function forget_deleted_invoices() returns trigger
  language plpgsql
  as $$
begin
  update bookings b set invoice_id = null from erased
  where b.workspace_id = erased.workspace_id and b.invoice_id = erased.id;
  return null;
end
$$;
create trigger forget_deleted_invoices after delete on sales_documents referencing old table as erased
  for each statement execute function forget_deleted_invoices();

-- A reminder that went out; a booking that was moved has others.
create table booking_reminders (
  booking_id     uuid not null,
  start_at       timestamptz not null,
  minutes_before integer not null,
  sent_at        timestamptz not null
);
select tenant_table('booking_reminders', 'booking_id, start_at, minutes_before');
create index booking_reminders_age on booking_reminders (start_at);

-- Of a customer who is erased their bookings keep times and prices. What is to come is freed by a job, which knows the time.
create function erase_bookings() returns trigger
  language plpgsql
  as $$
begin
  perform 1 from bookings b join erased on b.workspace_id = erased.workspace_id and b.contact_id = erased.id
  order by b.id for update of b;
  insert into jobs (workspace_id, id, name, payload, run_at, created_at, outside)
  select b.workspace_id, gen_random_uuid(), 'releaseErased', jsonb_build_object('bookingId', b.id), to_timestamp(0), b.created_at, false
  from erased join bookings b on b.workspace_id = erased.workspace_id and b.contact_id = erased.id
  where b.status in ('held', 'confirmed');
  update bookings b
  set contact_id = null, customer = '{"name": null, "phone": null, "email": null}', notes = null, answers = '{}', cancel_reason = null,
      token = gen_random_uuid()::text
  from erased where b.workspace_id = erased.workspace_id and b.contact_id = erased.id;
  return null;
end
$$;
create trigger erase_bookings after delete on contacts referencing old table as erased
  for each statement execute function erase_bookings();
