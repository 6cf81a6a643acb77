-- Pins a function to the schema of its cell (docs/cells.md). A function that runs as the owner of the tables needs this, and
-- one in an index: the caller's search path must not decide which tables it uses. Call it again after `create or replace`.
create function pin_search_path(subject regprocedure) returns void
  language plpgsql
  as $$
begin
  execute format('alter function %s set search_path = pg_catalog, %I', subject, current_schema());
end
$$;
