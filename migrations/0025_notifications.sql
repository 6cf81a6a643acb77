-- What members are to know of: one row a member and fact, written in the transaction of the fact (docs/decisions/notifications.md).
create table notifications (
  id         uuid not null,
  member_id  uuid not null,
  kind       text not null check (kind in ('mention', 'conversation_assigned', 'lead_assigned', 'task_assigned', 'task_due',
    'campaign_paused', 'campaign_completed', 'webhook_disabled', 'number_failing')),
  -- Who caused it; null: the platform itself.
  actor_name text,
  -- What it is called: the customer, the task, the campaign, the host of the endpoint.
  title      text not null,
  -- More of it: what a note says, why a campaign paused.
  body       text,
  -- What it is about, and what that is found by: the lead of a task.
  subject_id uuid not null,
  parent_id  uuid,
  -- Whom it says something of: it goes with them.
  contact_id uuid,
  created_at timestamptz not null,
  read_at    timestamptz
);
select tenant_table('notifications');
create index notifications_member on notifications (workspace_id, member_id, id);
create index notifications_unread on notifications (workspace_id, member_id, id) where read_at is null;
create index notifications_kind on notifications (workspace_id, member_id, kind, id);
create index notifications_contact on notifications (workspace_id, contact_id) where contact_id is not null;
create index notifications_age on notifications (created_at);
create trigger erase_notifications after delete on contacts referencing old table as erased
  for each statement execute function erase_dependents('notifications', 'contact_id');

-- For which of its times the assignee of a task has been notified that it is due.
alter table tasks add column reminded_for timestamptz;
create index tasks_reminder on tasks (workspace_id, due_at, id)
  where status = 'pending' and assignee_id is not null and reminded_for is distinct from due_at;

-- The member who made a campaign; null: a key of nobody.
alter table broadcasts add column created_by uuid;
