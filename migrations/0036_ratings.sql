-- What customers think of a chat that a person ended, from 1 to 5.

create table rating_settings (
  workspace_id  uuid primary key,
  enabled       boolean not null,
  question      text not null,
  -- Asks where the window is closed.
  template_id   uuid,
  delay_minutes integer not null,
  updated_at    timestamptz not null
);
select tenant_rows('rating_settings');

-- A chat is asked about once: its row stays. While run_at is set, it is the work.
create table conversation_ratings (
  conversation_id uuid not null,
  status          text not null check (status in ('due', 'asked', 'rated')),
  run_at          timestamptz,
  run_offset_ms   bigint,
  -- The message that asked.
  message_id      uuid,
  asked_at        timestamptz,
  score           integer check (score between 1 and 5),
  rated_at        timestamptz,
  created_at      timestamptz not null,
  check ((status = 'due') = (run_at is not null)),
  check ((status = 'rated') = (score is not null))
);
select tenant_table('conversation_ratings', 'conversation_id');
create index conversation_ratings_due on conversation_ratings (run_at) where run_at is not null;
create index conversation_ratings_due_in_workspace on conversation_ratings (workspace_id, run_at) where run_at is not null;
create index conversation_ratings_offset on conversation_ratings (workspace_id, run_offset_ms)
  where run_offset_ms is not null and run_at is not null;
create index conversation_ratings_asked on conversation_ratings (workspace_id, asked_at) where asked_at is not null;

-- The number says nothing of who gave it, and stays; whom nobody asked yet is not asked any more.
create function erase_ratings() returns trigger
  language plpgsql
  as $$
begin
  delete from conversation_ratings r using erased
  where r.workspace_id = erased.workspace_id and r.conversation_id = erased.id and r.status <> 'rated';
  update conversation_ratings r set message_id = null from erased
  where r.workspace_id = erased.workspace_id and r.conversation_id = erased.id;
  return null;
end
$$;
create trigger erase_ratings after delete on conversations referencing old table as erased
  for each statement execute function erase_ratings();
