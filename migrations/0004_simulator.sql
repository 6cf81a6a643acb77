-- What the simulated operator keeps for its numbers' accounts: templates, files, uploads, blocked customers, flows.

create table simulator_objects (
  kind       text not null,
  -- The operator's id; unique among all simulated accounts.
  id         text not null,
  account_id text not null,
  value      jsonb not null,
  bytes      bytea,
  expires_at timestamptz,
  created_at timestamptz not null
);
select tenant_table('simulator_objects', 'kind, id');
-- A fault of the operator makes its workspace be read anew: calls look for faults only then.
create trigger announce after insert or update on simulator_objects
  for each row when (new.kind = 'fault' and new.account_id = 'operator') execute function announce_workspace_change();
create index simulator_objects_id on simulator_objects (id);
create index phone_numbers_simulated_account on phone_numbers (account_id) where operator = 'simulator';
