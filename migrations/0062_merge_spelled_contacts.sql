-- Contacts that are stored under several spellings of one number (src/core/phone-spellings.ts) are one person: a job merges them.
insert into jobs (workspace_id, id, name, payload, run_at, created_at, outside)
select w.id, gen_random_uuid(), 'merge_spelled_contacts', '{"after": "+"}', now(), now(), false
from workspaces w
where exists (
  select from contacts c
  where c.workspace_id = w.id and c.phone like any (array['+52%', '+54%', '+55%', '+84%', '+225%', '+229%', '+241%'])
);
