-- The calls, waits, and reports of a message in the order in which they happened, one line for each
-- (src/modules/reporting/message-trace/DECISIONS.md). Each line is written by the statement that writes its effect.
alter table messages add column trace text;
