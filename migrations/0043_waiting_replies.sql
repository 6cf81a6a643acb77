-- What the account wrote in threads of which the first comment has not come yet, for as long as the network repeats itself.
create table social_waiting_replies (
  -- The network's id of the reply, and of the comment that it waits for.
  network_id text not null,
  thread_id  text not null,
  account_id uuid not null,
  text       text not null,
  sent_at    timestamptz not null,
  created_at timestamptz not null
);
select tenant_table('social_waiting_replies', 'network_id');
create index social_waiting_replies_thread on social_waiting_replies (workspace_id, account_id, thread_id);
create index social_waiting_replies_age on social_waiting_replies (created_at);
