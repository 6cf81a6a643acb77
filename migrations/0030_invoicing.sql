-- Sales documents: invoices, proformas and quotations, what was paid of them, and the ledger of received money.

-- Money that came in, once each, whatever it was for: documents that are made of each other point at the same row.
create table received_money (
  id           uuid not null,
  source       text not null check (source in ('payment_request', 'document_payment', 'booking_advance')),
  source_id    uuid not null,
  contact_id   uuid,
  -- The lead whose total grew by it; null: there was none.
  lead_id      uuid,
  amount_minor bigint not null check (amount_minor > 0),
  currency     text not null,
  received_at  timestamptz not null,
  voided_at    timestamptz
);
select tenant_table('received_money');
create unique index received_money_source on received_money (workspace_id, source, source_id);
create index received_money_contact on received_money (workspace_id, contact_id) where contact_id is not null;

create table sales_settings (
  workspace_id uuid primary key,
  settings     jsonb not null,
  updated_at   timestamptz not null
);
select tenant_rows('sales_settings');

-- Logos as they were when they were set: uploads end after 30 days, documents keep what they were issued with.
create table sales_logos (
  media_id   text not null,
  mime_type  text not null check (mime_type in ('image/png', 'image/jpeg')),
  bytes      bytea not null,
  created_at timestamptz not null
);
select tenant_table('sales_logos', 'media_id');

-- The last number of each series in each financial year, which is named by its first day. Whoever issues holds the row, so
-- that numbers follow each other without a gap.
create table number_series (
  series         text not null,
  financial_year text not null,
  last_number    integer not null,
  -- Of the document that has it.
  last_date      text not null
);
select tenant_table('number_series', 'series, financial_year');

-- Documents issued in a month of the workspace's time, where the plan limits them.
create table sales_document_months (
  month     text not null,
  documents integer not null
);
select tenant_table('sales_document_months', 'month');

-- Days are days of the workspace's zone, as 2026-06-01.
create table sales_documents (
  id              uuid not null,
  kind            text not null check (kind in ('invoice', 'proforma', 'quotation', 'voucher')),
  document_type   text not null,
  number          text,
  status          text not null check (status in ('draft', 'issued', 'partially_paid', 'paid', 'cancelled', 'converted', 'accepted',
                                                  'declined')),
  version         integer not null default 1,
  contact_id      uuid,
  customer        jsonb not null,
  -- As it was asked for; null: it follows from customer and seller.
  given_place_of_supply text,
  place_of_supply text,
  supply_type     text not null,
  reverse_charge  boolean not null,
  issue_date      text,
  due_date        text,
  valid_until     text,
  reference       text,
  currency        text not null,
  -- With what each line comes to.
  lines           jsonb not null,
  taxable_minor   bigint not null,
  cgst_minor      bigint not null,
  sgst_minor      bigint not null,
  igst_minor      bigint not null,
  cess_minor      bigint not null,
  tax_minor       bigint not null,
  round_off_minor bigint not null,
  total_minor     bigint not null,
  received_minor  bigint not null default 0,
  tds_minor       bigint not null default 0,
  credited_minor  bigint not null default 0,
  balance_minor   bigint generated always as (total_minor - received_minor - tds_minor - credited_minor) stored,
  -- The seller and the rules of reckoning as they were at the issue; null in a draft.
  basis           jsonb,
  -- What it was made from: {id, number}.
  from_proforma   jsonb,
  from_quotation  jsonb,
  -- What was made from it.
  invoice_id      uuid,
  booking_id      uuid,
  notes           text,
  terms           text,
  financial_year  text,
  cancel_reason   text,
  accepted_by     text check (accepted_by in ('customer', 'staff')),
  decline_reason  text,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  issued_at       timestamptz,
  sent_at         timestamptz,
  paid_at         timestamptz,
  cancelled_at    timestamptz,
  accepted_at     timestamptz,
  declined_at     timestamptz,
  -- The link that its customer opens; null: a draft has none, and of an erased customer's none is left.
  public_token    text,
  -- When its customer was erased: the rest of what is about them goes when it need not be kept any more.
  stripped_at     timestamptz,
  check ((status = 'draft') = (number is null))
) with (fillfactor = 80);
select tenant_table('sales_documents');
create unique index sales_documents_number on sales_documents (workspace_id, kind, financial_year, number) where number is not null;
create unique index sales_documents_public_token on sales_documents (public_token) where public_token is not null;
create index sales_documents_kind on sales_documents (workspace_id, kind, id);
create index sales_documents_status on sales_documents (workspace_id, kind, status, id);
create index sales_documents_contact on sales_documents (workspace_id, contact_id, id) where contact_id is not null;
create index sales_documents_words on sales_documents using gin (workspace_id,
  lower(coalesce(number, '') || ' ' || coalesce(customer ->> 'name', '') || ' ' || coalesce(reference, '')) gin_trgm_ops)
  with (fastupdate = on);
create index sales_documents_stripped on sales_documents (stripped_at) where stripped_at is not null;

-- What a document was before it was revised, as it was shown.
create table sales_document_versions (
  document_id uuid not null,
  version     integer not null,
  document    jsonb not null,
  created_at  timestamptz not null
);
select tenant_table('sales_document_versions', 'document_id, version');
create trigger erase_versions after delete on sales_documents referencing old table as erased
  for each statement execute function erase_dependents('sales_document_versions', 'document_id');

-- Files for the printer, laid out when somebody asks for them: of each version the last, by all that it says.
create table sales_document_pdfs (
  document_id uuid not null,
  version     integer not null,
  fingerprint text not null,
  bytes       bytea not null,
  -- What the operator knows the file by, from this number of ours, once it was sent: it is not given to them again.
  media_id    text,
  phone_number_id uuid,
  created_at  timestamptz not null
);
select tenant_table('sales_document_pdfs', 'document_id, version');
create trigger erase_pdfs after delete on sales_documents referencing old table as erased
  for each statement execute function erase_dependents('sales_document_pdfs', 'document_id');

create table document_payments (
  id             uuid not null,
  document_id    uuid not null,
  receipt_number text not null,
  amount_minor   bigint not null check (amount_minor >= 0),
  tds_minor      bigint not null check (tds_minor >= 0),
  currency       text not null,
  paid_on        text not null,
  method         text not null,
  reference      text,
  source         text not null check (source in ('manual', 'gateway')),
  financial_year text not null,
  created_at     timestamptz not null,
  -- Of money that came in at the gateway: it is recorded once.
  gateway_payment_id text,
  voided_at      timestamptz,
  void_reason    text,
  check (amount_minor + tds_minor > 0)
);
select tenant_table('document_payments');
create index document_payments_document on document_payments (workspace_id, document_id, id);
create unique index document_payments_receipt on document_payments (workspace_id, financial_year, receipt_number);
create unique index document_payments_gateway on document_payments (workspace_id, gateway_payment_id)
  where gateway_payment_id is not null;
create trigger erase_payments after delete on sales_documents referencing old table as erased
  for each statement execute function erase_dependents('document_payments', 'document_id');

-- What was taken off an invoice after it was issued, with the share of its taxes.
create table credit_notes (
  id             uuid not null,
  document_id    uuid not null,
  number         text not null,
  financial_year text not null,
  issue_date     text not null,
  amount_minor   bigint not null check (amount_minor > 0),
  taxable_minor  bigint not null,
  cgst_minor     bigint not null,
  sgst_minor     bigint not null,
  igst_minor     bigint not null,
  cess_minor     bigint not null,
  reason         text not null,
  created_at     timestamptz not null
);
select tenant_table('credit_notes');
create index credit_notes_document on credit_notes (workspace_id, document_id, id);
create unique index credit_notes_number on credit_notes (workspace_id, financial_year, number);
create trigger erase_credit_notes after delete on sales_documents referencing old table as erased
  for each statement execute function erase_dependents('credit_notes', 'document_id');

-- A document that is gone is not to be paid any more: its payment link is ended, and a job ends it at the gateway.
create function end_links_of_documents() returns trigger
  language plpgsql
  as $$
begin
  with ended as (
    update payment_links l set status = 'cancelled' from erased
    where l.workspace_id = erased.workspace_id and l.subject_id = erased.id and l.status = 'open'
    returning l.workspace_id, l.id, l.updated_at
  )
  insert into jobs (workspace_id, id, name, payload, run_at, created_at, outside)
  select workspace_id, gen_random_uuid(), 'endOpenLink', jsonb_build_object('paymentLinkId', id), to_timestamp(0), updated_at, true
  from ended;
  return null;
end
$$;
create trigger end_links after delete on sales_documents referencing old table as erased
  for each statement execute function end_links_of_documents();

-- What is no record of a sale goes with its customer. An issued document stays as long as the law wants it, without the ways to
-- reach them; the rest goes at the end of that time.
create function erase_sales_documents() returns trigger
  language plpgsql
  as $$
begin
  -- Whoever works on one of them is waited for; what they write is seen by the statements after this one.
  perform 1 from sales_documents d join erased on d.workspace_id = erased.workspace_id and d.contact_id = erased.id
  order by d.id for update of d;
  delete from sales_documents d using erased
  where d.workspace_id = erased.workspace_id and d.contact_id = erased.id
    and (d.status = 'draft'
      or d.kind = 'quotation' and d.accepted_at is null and d.invoice_id is null
      or d.kind = 'proforma' and d.status <> 'converted' and d.received_minor + d.tds_minor = 0);
  delete from sales_document_pdfs p using sales_documents d join erased on d.workspace_id = erased.workspace_id and d.contact_id = erased.id
  where p.workspace_id = d.workspace_id and p.document_id = d.id;
  update sales_document_versions v
  set document = v.document || jsonb_build_object('contactId', null, 'notes', null, 'url', null, 'customer',
    (v.document -> 'customer') || '{"phone": null, "email": null}')
  from erased join sales_documents d on d.workspace_id = erased.workspace_id and d.contact_id = erased.id
  where v.workspace_id = d.workspace_id and v.document_id = d.id;
  update sales_documents d
  set contact_id = null, notes = null, public_token = null, stripped_at = d.updated_at, customer = d.customer || '{"phone": null, "email": null}'
  from erased where d.workspace_id = erased.workspace_id and d.contact_id = erased.id;
  update received_money m set contact_id = null, lead_id = null
  from erased where m.workspace_id = erased.workspace_id and m.contact_id = erased.id;
  return null;
end
$$;
create trigger erase_sales_documents after delete on contacts referencing old table as erased
  for each statement execute function erase_sales_documents();
