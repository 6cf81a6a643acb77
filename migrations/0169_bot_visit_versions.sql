-- The version of the bot that a chat used; null for chats before this column.
alter table bot_visits add column version integer;
-- ended_by_teammate: a teammate took over the chat while the bot waited.
-- bears: the values of the old version stay allowed; it leaves out the new one in its results.
alter table bot_visits drop constraint bot_visits_state_check, add constraint bot_visits_state_check check (state in ('waiting', 'ended', 'handed_over', 'ended_by_teammate')) not valid;
