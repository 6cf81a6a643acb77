-- A workspace that moves to another cell (docs/decisions/workspace-moves.md).

-- Since when background work leaves the workspace alone.
alter table workspaces add column paused_at timestamptz;
-- No transaction of a request may begin in it.
alter table workspaces add column fenced boolean not null default false;
-- The cell and the address to which it moved: {"cell": …, "address": …}.
alter table workspaces add column moved_to jsonb;

-- Fails the transaction of a tenant, in its first statement, if one of its workspaces (a list with commas) is fenced.
create function require_open(workspace_ids text) returns void
  language plpgsql stable
  as $$
declare
  destination text;
begin
  select coalesce(moved_to::text, '') into destination from workspaces
  where fenced and id = any (string_to_array(workspace_ids, ',')::uuid[])
  limit 1;
  if found then
    raise exception 'the workspace moves to another cell' using errcode = 'PM001', detail = destination;
  end if;
end
$$;

-- The moves of this cell's workspaces to other cells ('out'), and from other cells ('in'). Both sides have the same id.
create table workspace_moves (
  id                 uuid not null,
  direction          text not null check (direction in ('out', 'in')),
  moved_workspace_id uuid not null,
  phase              text not null check (phase in ('copying', 'paused', 'fenced', 'switching', 'written', 'moved', 'erased',
                       'loading', 'live', 'canceled')),
  -- The other side, in words.
  counterpart        text not null,
  -- As in workspaces.moved_to; null until it is known.
  moved_to           jsonb,
  -- Both cells use the same store of files.
  shares_files       boolean not null,
  -- All transactions before this one (xid8) are in the copy; null until the first copy is complete.
  copied_to          text,
  -- When the rows may be erased.
  erase_after        timestamptz,
  started_at         timestamptz not null,
  fenced_at          timestamptz,
  ended_at           timestamptz,
  primary key (id, direction)
);
create unique index workspace_moves_open on workspace_moves (moved_workspace_id, direction)
  where phase not in ('moved', 'erased', 'live', 'canceled');
create index workspace_moves_of on workspace_moves (moved_workspace_id);
