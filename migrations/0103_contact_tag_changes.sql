-- Tags that were added to contacts or removed from them, for the threads of their chats.
create table contact_tag_changes (
  id          uuid not null,
  contact_id  uuid not null,
  tag         text not null,
  -- False: the tag was removed.
  added       boolean not null,
  -- The source of the change; null for Parley itself.
  source_kind text,
  source_id   uuid,
  source_name text,
  created_at  timestamptz not null
);
select tenant_table('contact_tag_changes');
create index contact_tag_changes_contact on contact_tag_changes (workspace_id, contact_id, id);
-- bears: the rows belong to the new table, and go with their contact
create trigger erase_tag_changes after delete on contacts referencing old table as erased
  for each statement execute function erase_dependents('contact_tag_changes', 'contact_id');
-- bears: the rows belong to the new table, and follow their contact
create trigger merge_tag_changes after insert on merged_contacts referencing new table as merged
  for each statement execute function merge_dependents('contact_tag_changes', 'contact_id');
