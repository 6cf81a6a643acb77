-- The source of a message of ours (a member, a key, a bot, …), with the name at that time. Null for customers' messages, and for messages from before.
alter table messages add column source_kind text;
alter table messages add column source_id uuid;
alter table messages add column source_name text;
