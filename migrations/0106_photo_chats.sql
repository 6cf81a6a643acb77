-- Direct chats of the photo network are rows of the inbox (src/modules/messaging/conversations/DECISIONS.md "Photo chats"): a row of
-- `conversations` with the id of the direct chat, its contact, and its account in place of our number.
alter table conversations add column channel text not null default 'chat';
alter table conversation_activity add column channel text not null default 'chat';

-- The teammate or the key that wrote a message, as in `messages`; null: of the customer, of the network's app, or old.
alter table social_messages add column sent_by uuid;
alter table social_messages add column source_kind text;
alter table social_messages add column source_id uuid;
alter table social_messages add column source_name text;

-- Every direct chat has its row from the start, also those that an earlier version starts.
create function open_photo_chats() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_ids uuid[];
  row_contacts uuid[];
  row_accounts uuid[];
  row_activities uuid[];
  row_times timestamptz[];
begin
  select array_agg(workspace_id), array_agg(id), array_agg(contact_id), array_agg(account_id), array_agg(activity_id),
    array_agg(created_at)
  into row_workspaces, row_ids, row_contacts, row_accounts, row_activities, row_times
  from started;
  if row_workspaces is null then return null; end if;
  insert into conversations (workspace_id, id, contact_id, phone_number_id, channel, created_at, updated_at)
  select n.workspace_id, n.id, n.contact_id, n.account_id, 'social', n.created_at, n.created_at
  from unnest(row_workspaces, row_ids, row_contacts, row_accounts, row_times) as n (workspace_id, id, contact_id, account_id, created_at);
  insert into conversation_activity (workspace_id, conversation_id, activity_id, channel)
  select n.workspace_id, n.id, n.activity_id, 'social'
  from unnest(row_workspaces, row_ids, row_activities) as n (workspace_id, id, activity_id);
  return null;
end
$$;
-- bears: it writes to other tables only, and an earlier version lists these rows like chats of a number that is gone
create trigger open_photo_chats after insert on social_conversations referencing new table as started
  for each statement execute function open_photo_chats();

-- Chats from before: those that wait for an answer and can still get one are open, the others are resolved.
insert into conversations (workspace_id, id, contact_id, phone_number_id, channel, state, window_expires_at, last_inbound_at, created_at, updated_at)
select workspace_id, id, contact_id, account_id, 'social',
  case when last_inbound_at > now() - interval '1 day' and last_inbound_at >= last_message_at then 'open' else 'resolved' end,
  last_inbound_at + interval '1 day', last_inbound_at, created_at, created_at
from social_conversations;
insert into conversation_activity (workspace_id, conversation_id, activity_id, last_message_at, channel)
select workspace_id, id, activity_id, last_message_at, 'social' from social_conversations;
