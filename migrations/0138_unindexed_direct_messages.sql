-- The source social-words finds the messages whose words are to be written.
create index concurrently social_messages_unindexed on social_messages (workspace_id, id) where not indexed;
