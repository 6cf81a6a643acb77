-- Citus copies the rows of a cell that moves over connections without the search path of the cell. So the function of the
-- constraint `tenant_writes` calls no other function of the schema.
create or replace function is_tenant_write(workspace uuid) returns boolean
  language plpgsql immutable parallel safe
  as $$
begin
  return current_user <> 'parley_tenant'
    or coalesce(strpos(current_setting('parley.workspaces', true), workspace::text) > 0, false);
end
$$;
