-- The words of messages, by which search finds them (docs/decisions/search.md). They are read in the background, so that writing a
-- message moves no index for it; a row goes with its message. Without words: it was revoked.
create table message_words (
  -- The message's.
  id    uuid not null,
  words tsvector not null
);
select tenant_table('message_words');
create index message_words_found on message_words using gin (workspace_id, words) with (fastupdate = on);
create trigger erase_message_words after delete on messages referencing old table as erased
  for each statement execute function erase_dependents('message_words', 'id');

-- How far along its messages the words of a workspace have been read.
create table message_word_walks (
  workspace_id uuid primary key,
  -- The last message that was read.
  read_to      uuid not null,
  -- Up to here nothing can appear any more that has not been read: transactions that wrote earlier ids have ended.
  checked_to   uuid not null,
  walked_at    timestamptz not null
);
select tenant_rows('message_word_walks');

-- The newest messages that have words like `wanted` (a tsquery). Under row-level security @@ may not use an index, so this runs
-- as the owner of the table and checks the workspace itself. It is planned with its values: how rare the words are decides between
-- their index and a walk along the ids.
create function search_message_words(workspace uuid, wanted text, at_most integer) returns setof uuid
  language plpgsql stable security definer
  set search_path = pg_catalog, public
  as $$
begin
  if not coalesce(workspace = any (tenant_workspaces()), false) then
    return;
  end if;
  return query execute
    'select id from message_words where workspace_id = $1 and words @@ $2::tsquery order by id desc limit $3'
    using workspace, wanted, at_most;
end
$$;

-- Tasks by what is to be done: the same, by trigrams of the title.
create index tasks_title on tasks using gin (workspace_id, lower(title) gin_trgm_ops) with (fastupdate = on);
create function search_tasks(workspace uuid, pattern text, at_most integer) returns setof uuid
  language plpgsql stable security definer
  set search_path = pg_catalog, public
  as $$
begin
  if not coalesce(workspace = any (tenant_workspaces()), false) then
    return;
  end if;
  return query execute
    'select id from tasks where workspace_id = $1 and lower(title) like lower($2) order by id desc limit $3'
    using workspace, pattern, at_most;
end
$$;
