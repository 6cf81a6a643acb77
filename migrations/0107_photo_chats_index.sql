-- The list of direct chats is read without the chats of numbers.
create index concurrently conversation_activity_photo on conversation_activity (workspace_id, activity_id) where channel = 'social';
