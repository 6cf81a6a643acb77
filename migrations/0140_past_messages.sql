-- The source of a message that was imported with its time; null: it passed through Parley
-- (src/modules/messaging/messages/DECISIONS.md "Past messages").
alter table messages add column imported_from text;

-- The beginning of the earliest year with imported messages; null: no message is older than its workspace.
alter table workspaces add column messages_since timestamptz;
