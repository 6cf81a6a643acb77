-- Read by every transaction of a tenant: empty unless a workspace moves or has moved (docs/decisions/workspace-moves.md).
create index concurrently workspaces_fenced on workspaces (id) where fenced;
