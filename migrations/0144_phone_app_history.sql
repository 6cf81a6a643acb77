-- The history of a number that stays in the phone app (src/modules/messaging/messages/intake/DECISIONS.md).
-- Null: Parley has neither requested nor received it.
alter table phone_numbers
  add column history_state text check (history_state in ('requested', 'receiving', 'complete', 'declined')),
  -- The share of the history that the operator has sent, in percent, and the latest of its three phases.
  add column history_progress integer,
  add column history_phase integer,
  add column history_stored integer not null default 0,
  add column history_left_out integer not null default 0,
  add column history_reason text,
  add column history_requested_at timestamptz,
  add column history_at timestamptz;

-- The name of a contact in the phone app's address book, and the time of its latest change there.
alter table contacts
  add column address_book_name text,
  add column address_book_at timestamptz;
