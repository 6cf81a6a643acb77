-- Connections of numbers with the operator's hosted signup (src/modules/platform/access/DECISIONS.md "Hosted signup of numbers").
create table number_signups (
  id              uuid not null,
  -- The admin who began it, and their session: an answer is of use only there.
  member_id       uuid not null,
  session_id      uuid not null,
  -- Whether the owner also uses the number in the phone app.
  keeps_phone_app boolean not null,
  state_hash      bytea not null,
  -- The last step that is done.
  step            text not null check (step in ('opened', 'returned', 'exchanged', 'choosing', 'chosen', 'subscribed', 'registered',
                    'connected', 'cancelled', 'failed')),
  -- Why it failed or waits, and the operator's words.
  problem         text check (problem in ('expired', 'refused', 'no_number', 'elsewhere', 'no_answer', 'pin')),
  problem_text    text,
  -- The request that works on it, until this time.
  attempt         uuid,
  attempt_until   timestamptz,
  -- Secrets, until the end: the operator's code and token, and the number's two-step PIN.
  code_sealed     bytea,
  token_sealed    bytea,
  pin_sealed      bytea,
  -- The numbers that the owner shared, and the chosen one.
  numbers         jsonb not null default '[]',
  operator_id     text,
  phone_number_id uuid,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  expires_at      timestamptz not null
);
select tenant_table('number_signups');
create index number_signups_expiry on number_signups (expires_at);
