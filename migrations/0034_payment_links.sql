-- Payment links for what other modules are paid for outside of a chat. Nothing of who pays stands here.
create table payment_links (
  id              uuid not null,
  -- What is paid for, and the job that is enqueued when something becomes of the link.
  subject_id      uuid not null,
  follow_job      text not null,
  status          text not null check (status in ('open', 'paid', 'expired', 'cancelled', 'failed')),
  amount_paise    integer not null check (amount_paise between 100 and 50000000),
  description     text not null,
  expires_at      timestamptz not null,
  provider        text not null,
  -- When the gateway was first asked for the link: from then on there may be one.
  link_asked_at   timestamptz,
  link_id         text,
  link_url        text,
  failure         text,
  paid_at         timestamptz,
  paid_paise      integer check (paid_paise > 0),
  payment_method  text,
  -- The gateway's id of the payment that counted.
  payment_id      text,
  -- Payments that came in although it was paid: [{paymentId, paidPaise}].
  further_payments jsonb not null default '[]',
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  check ((status = 'paid') = (paid_at is not null and paid_paise is not null))
);
select tenant_table('payment_links');
create index payment_links_subject on payment_links (workspace_id, subject_id);
create unique index payment_links_payment on payment_links (workspace_id, payment_id) where payment_id is not null;
