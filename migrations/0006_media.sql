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

-- Whether a message carries an upload. Its id stands in the content, which a row policy keeps from being
-- looked up by an index (->> is not leakproof): so this runs as the owner of the tables and checks the workspace itself.
create index messages_sent_media on messages (workspace_id, (content ->> 'id'))
  where direction = 'outbound' and type in ('image', 'video', 'audio', 'document', 'sticker');
create function is_upload_sent(workspace uuid, media text) returns boolean
  language sql stable security definer
  set search_path = pg_catalog, public
  as $$
    select coalesce(workspace = any (tenant_workspaces()), false) and exists (
      select from messages
      where workspace_id = workspace and direction = 'outbound'
        and type in ('image', 'video', 'audio', 'document', 'sticker') and content ->> 'id' = media)
  $$;

-- An upload goes with the last message that carried it. For the same reason as the owner of the tables, and within the
-- workspaces of the messages that were deleted.
create function erase_sent_uploads() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, public
  as $$
begin
  delete from media m using (
    select distinct workspace_id, content ->> 'id' as operator_id from erased
    where direction = 'outbound' and type in ('image', 'video', 'audio', 'document', 'sticker')
  ) gone
  where m.workspace_id = gone.workspace_id and m.operator_id = gone.operator_id and m.origin = 'upload'
    and not exists (
      select from messages o
      where o.workspace_id = gone.workspace_id and o.direction = 'outbound'
        and o.type in ('image', 'video', 'audio', 'document', 'sticker') and o.content ->> 'id' = gone.operator_id);
  return null;
end
$$;
create trigger erase_sent_uploads after delete on messages referencing old table as erased
  for each statement execute function erase_sent_uploads();
