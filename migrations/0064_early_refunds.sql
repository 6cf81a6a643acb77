-- Refunds that the gateway reported before their payments. They are read again when the payment becomes known.
create table early_refunds (
  -- The gateway's id of the payment.
  payment_id  text not null,
  -- In the workspace's time.
  reported_at timestamptz not null
);
select tenant_table('early_refunds', 'payment_id');
create index early_refunds_age on early_refunds (reported_at);
