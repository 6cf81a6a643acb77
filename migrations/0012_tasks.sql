-- Follow-ups on leads.

create table tasks (
  id           uuid not null,
  lead_id      uuid not null,
  type         text not null check (type in ('call', 'message', 'email', 'meeting', 'visit', 'other')),
  title        text not null,
  due_at       timestamptz not null,
  priority     text not null check (priority in ('low', 'normal', 'high', 'urgent')),
  status       text not null default 'pending' check (status in ('pending', 'done', 'cancelled')),
  assignee_id  uuid,
  completed_at timestamptz,
  outcome      text,
  created_at   timestamptz not null,
  updated_at   timestamptz not null
) with (fillfactor = 85);
select tenant_table('tasks');
-- What is open, by when it is due: the groups are ranges of it.
create index tasks_due on tasks (workspace_id, due_at, id) where status = 'pending';
-- What is over, the latest change first.
create index tasks_over on tasks (workspace_id, status, updated_at, id) where status <> 'pending';
create index tasks_lead on tasks (workspace_id, lead_id, due_at);
create index tasks_all on tasks (workspace_id, due_at, id);
create trigger erase_tasks after delete on leads referencing old table as erased
  for each statement execute function erase_dependents('tasks', 'lead_id');
-- Of one person what is open, by when it is due.
create index tasks_assignee on tasks (workspace_id, assignee_id, due_at, id) where status = 'pending';

-- How many tasks of each status everybody has ('': nobody).
create table task_counts (
  status   text collate "C" not null,
  assignee text collate "C" not null,
  amount   bigint not null
) with (fillfactor = 50);
select tenant_table('task_counts', 'status, assignee');

-- What changes of that: written beside the facts, read together with the sums, added up now and then. Nobody who changes a task
-- waits for a count.
create table task_changes (
  id       uuid not null default gen_random_uuid(),
  status   text not null,
  assignee text not null,
  amount   bigint not null
);
select tenant_table('task_changes');

create function note_tasks_added() returns trigger
  language plpgsql
  as $$
begin
  insert into task_changes (workspace_id, status, assignee, amount)
  select workspace_id, status, coalesce(assignee_id::text, ''), count(*) from moved group by 1, 2, 3;
  return null;
end
$$;
create trigger note_added after insert on tasks referencing new table as moved
  for each statement execute function note_tasks_added();

create function note_tasks_removed() returns trigger
  language plpgsql
  as $$
begin
  insert into task_changes (workspace_id, status, assignee, amount)
  select workspace_id, status, coalesce(assignee_id::text, ''), -count(*) from moved group by 1, 2, 3;
  return null;
end
$$;
create trigger note_removed after delete on tasks referencing old table as moved
  for each statement execute function note_tasks_removed();

create function note_task_changed() returns trigger
  language plpgsql
  as $$
begin
  insert into task_changes (workspace_id, status, assignee, amount)
  values
    (new.workspace_id, old.status, coalesce(old.assignee_id::text, ''), -1),
    (new.workspace_id, new.status, coalesce(new.assignee_id::text, ''), 1);
  return null;
end
$$;
create trigger note_changed after update on tasks for each row
  when ((old.status, old.assignee_id) is distinct from (new.status, new.assignee_id))
  execute function note_task_changed();
