-- Sales documents: invoices, proformas and quotations, what was paid of them, and the ledger of received money.

-- Money that came in, once each, whatever it was for: documents that are made of each other point at the same row.
create table received_money (
  id           uuid not null,
  source       text not null check (source in ('payment_request', 'document_payment')),
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
  kind            text not null check (kind in ('invoice', 'proforma', 'quotation')),
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
  -- When its customer was erased: the rest of what is about them goes when it need not be kept any more.
  stripped_at     timestamptz,
  check ((status = 'draft') = (number is null))
) with (fillfactor = 80);
select tenant_table('sales_documents');
create unique index sales_documents_number on sales_documents (workspace_id, kind, financial_year, number) where number is not null;
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
  voided_at      timestamptz,
  void_reason    text,
  check (amount_minor + tds_minor > 0)
);
select tenant_table('document_payments');
create index document_payments_document on document_payments (workspace_id, document_id, id);
create unique index document_payments_receipt on document_payments (workspace_id, financial_year, receipt_number);
create trigger erase_payments after delete on sales_documents referencing old table as erased
  for each statement execute function erase_dependents('document_payments', 'document_id');

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
  update sales_document_versions v
  set document = v.document || jsonb_build_object('contactId', null, 'notes', null, 'url', null, 'customer',
    (v.document -> 'customer') || '{"phone": null, "email": null}')
  from erased join sales_documents d on d.workspace_id = erased.workspace_id and d.contact_id = erased.id
  where v.workspace_id = d.workspace_id and v.document_id = d.id;
  update sales_documents d
  set contact_id = null, notes = null, stripped_at = d.updated_at, customer = d.customer || '{"phone": null, "email": null}'
  from erased where d.workspace_id = erased.workspace_id and d.contact_id = erased.id;
  update received_money m set contact_id = null, lead_id = null
  from erased where m.workspace_id = erased.workspace_id and m.contact_id = erased.id;
  return null;
end
$$;
create trigger erase_sales_documents after delete on contacts referencing old table as erased
  for each statement execute function erase_sales_documents();
