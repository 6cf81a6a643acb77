-- Forms that were designed here have their screens; the others were created at the operator.
alter table flows add column screens json;
-- Errors that the operator found in the design.
alter table flows add column faults json;
-- Until then one request is changing the form at the operator (real time).
alter table flows add column changing_until timestamptz;

-- Names of forms that a request is creating at the operator. A row that stays behind says that the operator can have the form.
create table flow_claims (
  account_id    text not null,
  name          text not null,
  claimed_until timestamptz not null
);
select tenant_table('flow_claims', 'account_id, name');

-- Customers' answers to forms; the id is that of their message.
create table flow_answers (
  id         uuid not null,
  flow_id    uuid not null,
  fields     json not null,
  created_at timestamptz not null
);
select tenant_table('flow_answers');
create index flow_answers_flow on flow_answers (workspace_id, flow_id, id);
-- bears: version 1.0.0 deletes messages, and the answers leave with them
create trigger erase_flow_answers after delete on messages referencing old table as erased
  for each statement execute function erase_dependents('flow_answers', 'id');
-- bears: version 1.0.0 forgets forms that the operator no longer has, and their answers leave with them
create trigger erase_flow_answers after delete on flows referencing old table as erased
  for each statement execute function erase_dependents('flow_answers', 'flow_id');
