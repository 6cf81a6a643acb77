-- The weekly mail: when it is next due in a workspace, in real time. Sandboxes have none.
create table weekly_mails (
  workspace_id uuid primary key,
  run_at       timestamptz not null,
  -- The first day of the last week that was mailed.
  last_week    text
);
select tenant_rows('weekly_mails');
create index weekly_mails_due on weekly_mails (run_at);

-- A member's choice. `token` is the address of the page that stops the mail.
create table weekly_mail_choices (
  member_id  uuid not null,
  enabled    boolean not null,
  token      text not null,
  updated_at timestamptz not null
);
select tenant_table('weekly_mail_choices', 'member_id');
create unique index weekly_mail_choices_token on weekly_mail_choices (token);
