-- The roles from which customers' phone numbers and email addresses are hidden. Never those of admins.
alter table workspaces
  add column details_hidden_from text[] not null default '{}'
    check (details_hidden_from <@ array['viewer', 'agent']);
