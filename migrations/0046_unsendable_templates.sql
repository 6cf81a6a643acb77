-- Campaigns whose template goes, or is approved no more, look at it at once: each message that they hand over until then fails for
-- its person. A step under way is waited for: it may have looked before.
create function hurry_campaigns() returns trigger
  language plpgsql
  as $$
begin
  update broadcasts set run_at = now(), run_offset_ms = null
  where workspace_id = old.workspace_id and template_id = old.id and status in ('running', 'completed')
    and run_at is not null;
  return null;
end $$;
-- bears: a look at a campaign before its time changes nothing where nothing stands in its way.
create trigger hurry_campaigns_unapproved after update of status on templates
  for each row when (old.status = 'approved' and new.status <> 'approved') execute function hurry_campaigns();
-- bears: as above.
create trigger hurry_campaigns_deleted after delete on templates
  for each row execute function hurry_campaigns();
