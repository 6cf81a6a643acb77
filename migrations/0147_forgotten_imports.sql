-- The number of the customer in an exported chat, so that an erasure finds the import (docs/decisions/retention.md).
alter table history_imports add column phone text;
update history_imports set phone = settings ->> 'phone' where source = 'whatsapp_export';

-- With the customer of an exported chat go its name, its settings, and its file. An import that is not done ends.
create function forget_history_imports() returns trigger
  language plpgsql
  as $$
declare
  erased_workspaces uuid[];
  erased_values text[];
  file_workspaces uuid[];
  file_ids uuid[];
  file_times timestamptz[];
begin
  execute format('select array_agg(workspace_id), array_agg(%1$I) from erased where %1$I is not null', tg_argv[0])
    into erased_workspaces, erased_values;
  if erased_workspaces is null then return null; end if;
  select array_agg(h.workspace_id), array_agg(h.id), array_agg(h.created_at)
  into file_workspaces, file_ids, file_times
  from history_imports h
  join unnest(erased_workspaces, erased_values) as erased_one (workspace_id, value)
    on h.workspace_id = erased_one.workspace_id and h.phone = erased_one.value
  where h.has_file;
  if file_workspaces is not null then
    insert into jobs (workspace_id, id, name, payload, run_at, created_at, outside)
    select workspace_id, gen_random_uuid(), 'eraseFile', jsonb_build_object('mediaId', id), to_timestamp(0), created_at, true
    from unnest(file_workspaces, file_ids, file_times) as file (workspace_id, id, created_at);
  end if;
  update history_imports h
  set title = null, phone = null, settings = null, position = null, secret_sealed = null, has_file = false,
      state = case when h.state in ('done', 'cancelled') then h.state else 'cancelled' end
  from unnest(erased_workspaces, erased_values) as erased_one (workspace_id, value)
  where h.workspace_id = erased_one.workspace_id and h.phone = erased_one.value;
  return null;
end
$$;
-- bears: the rows have a column that older processes do not write
create trigger forget_history_imports after delete on contacts referencing old table as erased
  for each statement execute function forget_history_imports('phone');
-- bears: the same
create trigger forget_history_imports after delete on contact_aliases referencing old table as erased
  for each statement execute function forget_history_imports('key');
