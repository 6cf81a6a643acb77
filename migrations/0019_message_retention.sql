-- For how many days a workspace keeps its messages; 0: until they are erased. The gates of campaigns look back over months.
alter table workspaces add column message_days integer not null default 0 check (message_days = 0 or message_days >= 90);
create index workspaces_message_days on workspaces (id) where message_days > 0;
