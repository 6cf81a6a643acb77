-- Files: those that customers sent, those uploaded to be sent, and the work that fetches and removes them.

create table media (
  -- Ours. The bytes lie in the media store under WORKSPACE/ID.
  id              uuid not null,
  phone_number_id uuid not null,
  origin          text not null check (origin in ('customer', 'upload')),
  -- The customer's message that it came with.
  message_id      uuid,
  kind            text not null check (kind in ('image', 'video', 'audio', 'document', 'sticker')),
  -- Null until the operator has taken an upload.
  operator_id     text,
  mime_type       text not null,
  filename        text,
  size_bytes      bigint,
  -- Hex.
  sha256          text,
  state           text not null check (state in ('pending', 'stored', 'failed')),
  -- Why it failed.
  failure         text,
  -- When the operator forgets its id, in the workspace's time.
  expires_at      timestamptz not null,
  created_at      timestamptz not null
);
select tenant_table('media');
create unique index media_message on media (workspace_id, message_id) where message_id is not null;
create index media_operator_id on media (workspace_id, operator_id) where operator_id is not null;

-- Uploads that are running: at most so many in a workspace, whichever process takes them (spec 4.2).
create table uploads (
  id           uuid not null,
  large        boolean not null,
  leased_until timestamptz not null
);
select tenant_table('uploads');

-- Jobs that speak to the outside run beside the others, so that a slow one delays nobody.
alter table jobs add column outside boolean not null default false;
drop index jobs_due;
create index jobs_due on jobs (run_at) where failed_at is null and not outside;
create index jobs_due_outside on jobs (run_at) where failed_at is null and outside;

-- A file goes after its row: whatever deletes the row leaves a job behind, in the same transaction.
create function erase_files() returns trigger
  language plpgsql
  as $$
begin
  insert into jobs (workspace_id, id, name, payload, run_at, created_at, outside)
  select workspace_id, gen_random_uuid(), 'eraseFile', jsonb_build_object('mediaId', id), to_timestamp(0), created_at, true
  from erased;
  return null;
end
$$;
create trigger erase_files after delete on media referencing old table as erased
  for each statement execute function erase_files();

-- A customer's file goes with its message.
create trigger erase_media after delete on messages referencing old table as erased
  for each statement execute function erase_dependents('media', 'message_id');

-- Uploads that messages of ours carry in headers of templates, buttons and cards; what a campaign carries is the campaign's.
create table sent_files (
  message_id  uuid not null,
  -- The operator's id.
  operator_id text not null
);
select tenant_table('sent_files', 'message_id, operator_id');
create index sent_files_operator_id on sent_files (workspace_id, operator_id);
create trigger erase_sent_files after delete on messages referencing old table as erased
  for each statement execute function erase_dependents('sent_files', 'message_id');

-- Whether a message of ours carries an upload, by itself or in a header. Its id stands in the content, which a row policy keeps
-- from being looked up by an index (->> is not leakproof): what calls this runs as the owner of the tables.
create index messages_sent_media on messages (workspace_id, (content ->> 'id'))
  where direction = 'outbound' and type in ('image', 'video', 'audio', 'document', 'sticker');
create function carries_upload(workspace uuid, media text) returns boolean
  language sql stable
  as $$
    select exists (
      select from messages
      where workspace_id = workspace and direction = 'outbound'
        and type in ('image', 'video', 'audio', 'document', 'sticker') and content ->> 'id' = media)
      or exists (select from sent_files where workspace_id = workspace and operator_id = media)
  $$;
create function is_upload_sent(workspace uuid, media text) returns boolean
  language sql stable security definer
  set search_path = pg_catalog, public
  as $$ select coalesce(workspace = any (tenant_workspaces()), false) and carries_upload(workspace, media) $$;

-- An upload goes with the last message that carried it, of ours or of a customer that a sandbox plays; one that a campaign
-- carries stays. tg_argv[0] says by which id of the operator a row carried one. As the owner of the tables, and within the
-- workspaces of the rows that were deleted.
create function erase_uploads() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, public
  as $$
declare
  gone record;
begin
  for gone in execute format(
    'select distinct workspace_id, operator_id from (select workspace_id, %s as operator_id from erased) e where operator_id is not null',
    tg_argv[0])
  loop
    continue when carries_upload(gone.workspace_id, gone.operator_id)
      or exists (
        select from media
        where workspace_id = gone.workspace_id and operator_id = gone.operator_id and origin = 'customer')
      or exists (
        select from broadcasts
        where workspace_id = gone.workspace_id and position(to_json(gone.operator_id)::text in content::text) > 0);
    delete from media where workspace_id = gone.workspace_id and operator_id = gone.operator_id and origin = 'upload';
  end loop;
  return null;
end
$$;
create trigger erase_uploads after delete on messages referencing old table as erased for each statement execute function
  erase_uploads($$case when direction = 'outbound' and type in ('image', 'video', 'audio', 'document', 'sticker') then content ->> 'id' end$$);
create trigger erase_uploads after delete on sent_files referencing old table as erased
  for each statement execute function erase_uploads('operator_id');
create trigger erase_uploads after delete on media referencing old table as erased
  for each statement execute function erase_uploads($$case origin when 'customer' then operator_id end$$);

-- The simulated operator keeps its copy of a file for as long as we keep ours.
create function erase_simulated_files() returns trigger
  language plpgsql
  as $$
begin
  delete from simulator_objects o using erased
  where o.workspace_id = erased.workspace_id and o.kind = 'media' and o.id = erased.operator_id
    and not exists (
      select from media m where m.workspace_id = erased.workspace_id and m.operator_id = erased.operator_id);
  return null;
end
$$;
create trigger erase_simulated_files after delete on media referencing old table as erased
  for each statement execute function erase_simulated_files();
