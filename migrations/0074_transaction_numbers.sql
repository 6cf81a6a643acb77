-- Numbers of events that stay in order when a cell moves to another PostgreSQL server (docs/decisions/event-log.md). Each server
-- counts its transactions from its own number, so `parley cell move` replaces transaction_offset(). A plan contains its value.

-- The difference between the numbers of events and the numbers of this server's transactions.
create function transaction_offset() returns bigint
  language sql immutable parallel safe
  as $$ select 0::bigint $$;

-- The number of the running transaction, for its events.
create function transaction_number() returns xid8
  language sql stable
  as $$ select (pg_current_xact_id()::text::bigint + transaction_offset())::text::xid8 $$;

-- Events with lower numbers are of transactions that have ended.
create function transaction_horizon() returns xid8
  language sql stable
  as $$ select (pg_snapshot_xmin(pg_current_snapshot())::text::bigint + transaction_offset())::text::xid8 $$;

alter table events alter column written_in set default transaction_number();

-- Returns whether this cell is distributed with Citus.
create function is_distributed() returns boolean
  language plpgsql stable
  as $$
declare
  found_cell boolean := false;
begin
  if to_regclass('pg_catalog.pg_dist_schema') is not null then
    execute 'select exists (select from pg_dist_schema where schemaid = current_schema()::regnamespace)' into found_cell;
  end if;
  return found_cell;
end
$$;

-- Returns whether the running transaction may touch a workspace. Policies of a distributed cell call it: there they have no
-- subqueries, and Citus rewrites statements whose policies have functions that are not immutable. It only ever gets a column, so
-- PostgreSQL calls it for each row and never remembers a result. It searches the list as text, because splitting it would cost more.
create function is_tenant_workspace(workspace uuid) returns boolean
  language plpgsql immutable parallel safe
  as $$
begin
  return coalesce(strpos(current_setting('parley.workspaces', true), workspace::text) > 0, false);
end
$$;

-- Returns whether the running transaction may write a row of a workspace. Citus copies the rows of an `insert … select` past the
-- policies, so tables of a distributed cell have this as a constraint. The owner of the tables may write all rows.
create function is_tenant_write(workspace uuid) returns boolean
  language plpgsql immutable parallel safe
  as $$
begin
  return current_user <> 'parley_tenant' or is_tenant_workspace(workspace);
end
$$;

create function tenant_condition(workspace_column text) returns text
  language plpgsql stable
  as $$
begin
  return case when is_distributed() then format('is_tenant_workspace(%I)', workspace_column)
    else format('coalesce(%I = any ((select tenant_workspaces())::uuid[]), false)', workspace_column) end;
end
$$;

create or replace function tenant_rows(table_name regclass, workspace_column text default 'workspace_id') returns void
  language plpgsql
  as $$
begin
  execute format('alter table %s enable row level security', table_name);
  execute format('create policy tenant on %s to parley_tenant using (%s)', table_name, tenant_condition(workspace_column));
  execute format('grant select, insert, update, delete on %s to parley_tenant', table_name);
  if is_distributed() then
    execute format('alter table %s add constraint tenant_writes check (is_tenant_write(%I))', table_name, workspace_column);
  end if;
end
$$;
