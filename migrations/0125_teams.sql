-- Teams of members who share chats (src/modules/messaging/conversations/DECISIONS.md "Teams").
create table teams (
  id          uuid not null,
  name        text not null,
  -- The name in lower case: unique in any case.
  name_key    text not null,
  description text,
  -- 'manual' or 'round_robin'
  assignment  text not null,
  -- The most open chats of a member with which the team gives them another; null: no limit.
  capacity    integer,
  created_at  timestamptz not null,
  updated_at  timestamptz not null
);
select tenant_table('teams');
create unique index teams_name on teams (workspace_id, name_key);

create table team_members (
  team_id   uuid not null,
  member_id uuid not null,
  -- When the member last got a chat of the team, as a number that grows with each chat; 0: never.
  turn      bigint not null default 0
);
select tenant_table('team_members', 'team_id, member_id');
create index team_members_member on team_members (workspace_id, member_id);

-- The numbers whose new chats go to a team. A number has at most one.
create table team_numbers (
  phone_number_id uuid not null,
  team_id         uuid not null
);
select tenant_table('team_numbers', 'phone_number_id');
create index team_numbers_team on team_numbers (workspace_id, team_id);

-- Members who get no chats of teams at the moment.
create table away_members (
  member_id uuid not null,
  since     timestamptz not null
);
select tenant_table('away_members', 'member_id');

-- Null: of no team. A deleted team stays here until a job has cleared it.
alter table conversations add column team_id uuid;

-- A chat that goes on keeps its team, or gets the team of the other chat.
create function merge_chat_teams() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_ids uuid[];
  row_kept_ids uuid[];
begin
  select array_agg(workspace_id), array_agg(id), array_agg(kept_id)
  into row_workspaces, row_ids, row_kept_ids
  from merged;
  if row_workspaces is null then return null; end if;
  update conversations k set team_id = gone.team_id
  from unnest(row_workspaces, row_ids, row_kept_ids) as merged (workspace_id, id, kept_id)
  join conversations gone on gone.workspace_id = merged.workspace_id and gone.id = merged.id
  where k.workspace_id = merged.workspace_id and k.id = merged.kept_id and k.team_id is null and gone.team_id is not null;
  return null;
end
$$;
-- bears: it changes only chats of teams, which an earlier version doesn't know
create trigger merge_chat_teams after insert on merged_conversations referencing new table as merged
  for each statement execute function merge_chat_teams();

-- Chats of a member who left wait in the queues of their teams again.
create function share_chats_of_left_members() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
begin
  select array_agg(distinct n.workspace_id) into row_workspaces
  from after_change n join before_change o on o.workspace_id = n.workspace_id and o.id = n.id
  where n.left_at is not null and o.left_at is null;
  if row_workspaces is null then return null; end if;
  insert into jobs (workspace_id, id, name, payload, run_at, created_at, outside)
  select t.workspace_id, gen_random_uuid(), 'shareChats', '{}', to_timestamp(0), now(), false
  from teams t where t.workspace_id = any (row_workspaces) and t.assignment = 'round_robin' group by t.workspace_id;
  return null;
end
$$;
-- bears: without a team that gives chats in turn, it does nothing
create trigger share_chats after update on members referencing old table as before_change new table as after_change
  for each statement execute function share_chats_of_left_members();

-- An erased chat leaves its member's place free.
create function share_places_of_erased_chats() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
begin
  select array_agg(distinct workspace_id) into row_workspaces
  from erased where assigned_agent_id is not null and state = 'open';
  if row_workspaces is null then return null; end if;
  insert into jobs (workspace_id, id, name, payload, run_at, created_at, outside)
  select t.workspace_id, gen_random_uuid(), 'shareChats', '{}', to_timestamp(0), now(), false
  from teams t where t.workspace_id = any (row_workspaces) and t.assignment = 'round_robin' group by t.workspace_id;
  return null;
end
$$;
-- bears: without a team that gives chats in turn, it does nothing
create trigger share_places after delete on conversations referencing old table as erased
  for each statement execute function share_places_of_erased_chats();
