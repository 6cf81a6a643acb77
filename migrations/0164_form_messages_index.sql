-- How often each in-chat form was sent, read by time.
create index concurrently messages_forms on messages (workspace_id, (content -> 'action' -> 'parameters' ->> 'flow_id'), created_at)
  where type = 'interactive' and content -> 'action' -> 'parameters' ->> 'flow_id' is not null;
