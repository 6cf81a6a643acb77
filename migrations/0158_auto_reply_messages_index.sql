-- How often each auto-reply answered, read by time.
create index concurrently messages_auto_replies on messages (workspace_id, created_at, source_id) where source_kind = 'auto_reply';
