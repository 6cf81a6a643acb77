-- The queue of a team: its unresolved chats without a member.
create index concurrently conversations_team_queue on conversations (workspace_id, team_id, assigned_agent_id, id)
  where team_id is not null and state <> 'resolved';
