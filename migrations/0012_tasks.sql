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
