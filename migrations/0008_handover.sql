-- Handing messages over: how a number stands with the operator, its pace, and which process works on it.

alter table phone_numbers
  -- Messages a second that the operator takes from the number: 80; 1000 once upgraded; 20 when shared with its phone app.
  add column throughput      integer not null default 80 check (throughput > 0),
  -- The operator's word for how many customers may be written to in a day, such as TIER_2K.
  add column messaging_limit text,
  -- The operator's error behind a state that is not active, and since when (real time).
  add column state_code      integer,
  add column state_at        timestamptz,
  -- Until when, in the workspace's time, the operator takes no message of an active number that begins a conversation, and
  -- no answer in one that the customer began. The year 9999: it said no end.
  add column business_initiated_blocked_until timestamptz,
  add column customer_initiated_blocked_until timestamptz;
-- Whose waiting messages grow old.
create index phone_numbers_not_active on phone_numbers (workspace_id, id) where state <> 'active';

-- A lane for each number at the operator: what changes all the time is kept apart from the number itself.
create table number_lanes (
  phone_number_id uuid not null,
  -- The process that hands the number's messages over, and until when nobody else does.
  holder          uuid,
  leased_until    timestamptz,
  -- The operator asked for a pause, why, and how often in a row.
  paused_until    timestamptz,
  pause_reason    text,
  strikes         integer not null default 0,
  -- When the operator is next asked how the number is.
  check_due_at    timestamptz not null
);
select tenant_table('number_lanes', 'phone_number_id');
create index number_lanes_check_due on number_lanes (check_due_at);
