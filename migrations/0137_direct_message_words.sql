-- The words of direct messages of the photo network, by which search finds them (src/modules/reporting/search/DECISIONS.md).
create table social_message_words (
  -- The message's.
  id    uuid not null,
  words tsvector not null
);
select tenant_table('social_message_words');
create index social_message_words_found on social_message_words using gin (workspace_id, words) with (fastupdate = on);
-- bears: version 1.0.0 deletes messages, and their words leave with them
create trigger erase_social_message_words after delete on social_messages referencing old table as erased
  for each statement execute function erase_dependents('social_message_words', 'id');

-- False until the words of the text are written: for new messages, and again after an edit or a deletion.
alter table social_messages add column indexed boolean not null default false;

-- The newest direct messages with these words, as search_message_words does for the chat network.
create function search_social_message_words(workspace uuid, wanted text, at_most integer) returns setof uuid
  language plpgsql stable security definer
  as $$
begin
  if not coalesce(workspace = any (tenant_workspaces()), false) then
    return;
  end if;
  return query execute
    'select id from social_message_words where workspace_id = $1 and words @@ $2::tsquery order by id desc limit $3'
    using workspace, wanted, at_most;
end
$$;
select pin_search_path('search_social_message_words(uuid, text, integer)');
