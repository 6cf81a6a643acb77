-- Reports that name nobody but a message that was never applied go with its report: see 0007 for the rest.
create or replace function delete_reports_naming(workspace uuid, named text[]) returns text[]
  language plpgsql security definer
  set search_path = pg_catalog, public
  as $$
declare
  unapplied text[];
begin
  if not coalesce(workspace = any (tenant_workspaces()), false) then
    return null;
  end if;
  with gone as (
    delete from operator_updates where workspace_id = workspace and id in (
      select id from operator_updates
      where workspace_id = workspace and identifiers is not null and identifiers && named
        and (failed_at is not null or sender = any (named))
      for update skip locked)
    returning message_ids)
  select array_agg(message_id) into unapplied from gone cross join unnest(message_ids) message_id;
  delete from unread_updates where workspace_id = workspace and id in (
    select id from unread_updates where workspace_id = workspace and identifiers && (named || unapplied)
    for update skip locked);
  delete from message_changes where workspace_id = workspace and people && named;
  return unapplied;
end
$$;
