-- Results of messages made from templates, by the day on which they were sent (2026-11-21, in the workspace's time zone). `cause`:
-- the operator's code of failed messages; -1 for other messages, and for failures without a code. They contain no personal data.
create table template_days (
  day             text not null,
  phone_number_id uuid not null,
  name            text not null,
  language        text not null,
  cause           integer not null,
  sent            bigint not null default 0,
  delivered       bigint not null default 0,
  read            bigint not null default 0,
  failed          bigint not null default 0
) with (fillfactor = 50);
-- The key starts with the name, so that a page of templates reads only its own rows.
select tenant_table('template_days', 'name, language, day, phone_number_id, cause');

-- The differences that transactions add, until background work adds them to the days.
create table template_deltas (
  id              uuid not null,
  day             text not null,
  phone_number_id uuid not null,
  name            text not null,
  language        text not null,
  cause           integer not null,
  sent            integer not null,
  delivered       integer not null,
  read            integer not null,
  failed          integer not null
);
select tenant_table('template_deltas');
