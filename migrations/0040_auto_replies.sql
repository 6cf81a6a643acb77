-- Answers that go out by themselves: what is said, and when it was said last.

create table auto_replies (
  id               uuid not null,
  kind             text not null check (kind in ('welcome', 'away', 'keyword')),
  enabled          boolean not null,
  -- Of several that fit the lowest goes out.
  position         integer not null,
  -- Null: all numbers.
  phone_number_ids uuid[],
  reply            jsonb not null,
  keywords         text[] not null,
  match            text not null check (match in ('exact', 'contains', 'starts', 'word')),
  -- Days of silence after which somebody is welcomed again; null: never.
  days_silent      integer,
  cooldown_minutes integer not null,
  schedule         text not null check (schedule in ('business_hours', 'always')),
  created_at       timestamptz not null,
  updated_at       timestamptz not null
);
select tenant_table('auto_replies');
-- What takes in messages remembers which workspaces have any.
create trigger announce after insert or update or delete on auto_replies
  for each row execute function announce_workspace_change();

-- When a chat got each reply last, in the workspace's time: not again before its cooldown is over.
create table auto_reply_uses (
  conversation_id uuid not null,
  auto_reply_id   uuid not null,
  sent_at         timestamptz not null
);
select tenant_table('auto_reply_uses', 'conversation_id, auto_reply_id');
create index auto_reply_uses_reply on auto_reply_uses (workspace_id, auto_reply_id);
create trigger erase_auto_reply_uses after delete on conversations referencing old table as erased
  for each statement execute function erase_dependents('auto_reply_uses', 'conversation_id');
create trigger erase_uses after delete on auto_replies referencing old table as erased
  for each statement execute function erase_dependents('auto_reply_uses', 'auto_reply_id');

-- When a person of our side last wrote in a chat, in the workspace's time; null: nobody has.
alter table conversation_activity add column person_answered_at timestamptz;

-- The last messages of a chat that no person wrote, in the workspace's time: machines that answer each other fall silent.
create table automatic_messages (
  conversation_id uuid not null,
  sent_at         timestamptz[] not null
);
select tenant_table('automatic_messages', 'conversation_id');
create trigger erase_automatic_messages after delete on conversations referencing old table as erased
  for each statement execute function erase_dependents('automatic_messages', 'conversation_id');
