-- The list of a team's chats, and the chats that a deleted team leaves.
create index concurrently conversations_team on conversations (workspace_id, team_id, id) where team_id is not null;
