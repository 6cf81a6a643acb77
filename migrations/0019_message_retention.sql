-- For how many days a workspace keeps its messages; 0: until they are erased. The gates of campaigns look back over months.
alter table workspaces add column message_days integer not null default 0 check (message_days = 0 or message_days >= 90);
create index workspaces_message_days on workspaces (id) where message_days > 0;

-- What had become of a campaign's message when it went: its recipient keeps it.
alter table broadcast_recipients
  add column last_status text,
  add column error_code  integer;
create index broadcast_recipients_last on broadcast_recipients (workspace_id, broadcast_id, last_status, contact_id)
  where last_status is not null;
create function keep_recipient_status() returns trigger
  language plpgsql
  as $$
begin
  update broadcast_recipients r
  set last_status = erased.status, error_code = (erased.error ->> 'code')::int4,
      reason = coalesce(r.reason, erased.skip_reason, erased.error ->> 'title')
  from erased
  where erased.broadcast_id is not null and r.workspace_id = erased.workspace_id and r.contact_id = erased.contact_id
    and r.broadcast_id = erased.broadcast_id
    -- Of somebody who is erased nothing is kept.
    and exists (select from contacts c where c.workspace_id = erased.workspace_id and c.id = erased.contact_id);
  return null;
end
$$;
create trigger keep_recipient_status after delete on messages referencing old table as erased
  for each statement execute function keep_recipient_status();
