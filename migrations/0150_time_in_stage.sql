-- Lists of leads can be sorted by the time in the stage. Like lists by age, they are the nearest of each stage: an index of
-- all leads by that time would pass every old lost lead before it reaches the first open one.
create or replace function list_leads(
  workspace uuid, tree jsonb, vals jsonb, noted uuid[], sort text, descending boolean,
  stretch_column text, stretches uuid[], at_most integer, skip integer)
  returns setof uuid
  language plpgsql stable security definer
  as $$
declare
  condition text := lead_condition(tree);
  subject text := case sort
    when 'createdAt' then 'created_at' when 'updatedAt' then 'updated_at' when 'nextFollowUpAt' then 'next_follow_up_at'
    when 'rating' then 'rating' when 'dealValue' then 'deal_value' when 'phone' then 'phone' when 'name' then 'lower(name)'
    when 'stageChangedAt' then 'stage_changed_at' end;
  direction text := case when descending then 'desc' else 'asc' end;
  stretch text := case stretch_column when 'stage' then 'stage_id' when 'owner' then 'owner_id' end;
  ordered text := format('order by %s %s, id %2$s', subject, direction);
  listed text;
  given bigint;
  passed bigint;
begin
  if not coalesce(workspace = any (tenant_workspaces()), false) then
    return;
  end if;
  if subject is null then
    raise exception 'leads are not sorted by %', sort;
  end if;
  if stretch is not null and sort in ('createdAt', 'stageChangedAt') then
    listed := format(
      'select nearest.* from unnest($4) stretch (id) cross join lateral (
         select id, %4$s from leads where workspace_id = $1 and %1$s = stretch.id and %2$s %3$s limit $5 + $6
       ) nearest', stretch, condition, ordered, subject);
    if array_position(stretches, null) is not null then
      listed := listed || format(
        ' union all (select id, %4$s from leads where workspace_id = $1 and %1$s is null and %2$s
                     order by %1$s %3$s, %4$s %3$s, id %3$s limit $5 + $6)', stretch, condition, direction, subject);
    end if;
    return query execute format('select id from (%s) found %s limit $5 offset $6', listed, ordered)
      using workspace, vals, noted, stretches, at_most, skip;
    return;
  end if;
  listed := format('select id from leads where workspace_id = $1 and %s', condition);
  if sort not in ('nextFollowUpAt', 'name') then
    return query execute format('%s %s limit $5 offset $6', listed, ordered)
      using workspace, vals, noted, stretches, at_most, skip;
    return;
  end if;
  -- What is empty comes last in either direction.
  return query execute format('%s and %s is not null %s limit $5 offset $6', listed, subject, ordered)
    using workspace, vals, noted, stretches, at_most, skip;
  get diagnostics given = row_count;
  if given >= at_most then
    return;
  end if;
  passed := 0;
  if given = 0 and skip > 0 then
    execute format('select count(*) from (%s and %s is not null limit $5) passed', listed, subject)
      into passed using workspace, vals, noted, stretches, skip;
  end if;
  return query execute format('%s and %s is null %s limit $5 offset $6', listed, subject, ordered)
    using workspace, vals, noted, stretches, at_most - given, case when given > 0 then 0 else skip - passed end;
end
$$;
select pin_search_path('list_leads(uuid, jsonb, jsonb, uuid[], text, boolean, text, uuid[], integer, integer)');
