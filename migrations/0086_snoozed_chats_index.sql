-- Snoozed chats are few: their list is read without the others.
create index concurrently conversations_snoozed on conversations (workspace_id, id) where snoozed_at is not null;
