-- What shops report after a cancellation, and test notifications.

-- A test notification of a shop is listed, and makes no order.
alter table shop_deliveries drop constraint shop_deliveries_outcome_check;
alter table shop_deliveries add constraint shop_deliveries_outcome_check
  check (outcome in ('applied', 'repeat', 'other_topic', 'no_order', 'draft', 'test'));

-- When the shop last reported that the order is not cancelled; null: it never did.
alter table orders add column open_at timestamptz;

-- A cancelled order was paid.

