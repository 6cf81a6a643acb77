-- Lists of leads by the time in their stage read the nearest leads of each stage (0150_time_in_stage.sql).
create index concurrently leads_stage_changed on leads (workspace_id, stage_id, stage_changed_at, id);
