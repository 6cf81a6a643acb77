-- Private replies to comments: the network takes one for each comment, within seven days. The row is written before the call, so that
-- a comment is never answered twice.
create table social_private_replies (
  comment_id  uuid not null,
  text        text not null,
  status      text not null check (status in ('sending', 'sent', 'unconfirmed')),
  -- Our id of the message; it is in the chat with the author of the comment once the network has it.
  message_id  uuid not null,
  -- The network's id of it; null until it is known.
  mid         text,
  request_key text,
  sent_by     uuid,
  source_kind text,
  source_id   uuid,
  source_name text,
  created_at  timestamptz not null,
  sent_at     timestamptz
);
select tenant_table('social_private_replies', 'comment_id');
create unique index social_private_replies_request on social_private_replies (workspace_id, request_key) where request_key is not null;
-- Those that a report of the network may still settle.
create index social_private_replies_open on social_private_replies (workspace_id) where status = 'unconfirmed';
-- bears: the rows belong to the new table, and go with their comment
create trigger erase_social_private_replies after delete on social_comments referencing old table as erased
  for each statement execute function erase_dependents('social_private_replies', 'comment_id');
