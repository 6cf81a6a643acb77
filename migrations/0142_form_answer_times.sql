-- The answers to a form in a period are summarized and filtered (src/modules/messaging/flows/DECISIONS.md "Summary of answers").
create index concurrently flow_answers_time on flow_answers (workspace_id, flow_id, created_at, id);
