-- The tags and custom fields of a workspace's contacts, and changes of tags on their way to the contacts.

-- Every tag that was declared or ever put on a contact.
create table tags (
  id         uuid not null,
  -- As contacts carry it, letter by letter.
  name       text not null,
  color      text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
select tenant_table('tags');
create unique index tags_name on tags (workspace_id, name);

-- A tag renamed or removed, while the contacts that carry it are gone through: one at a time, in order.
create table tag_changes (
  id         uuid not null,
  old_name   text not null,
  -- Null: the tag is taken off.
  new_name   text,
  -- Transactions numbered below may still write the old name; the walk begins when they are over.
  fence      bigint,
  -- The last contact looked at.
  reached    uuid,
  created_at timestamptz not null
);
select tenant_table('tag_changes');
create index tag_changes_name on tag_changes (workspace_id, old_name);

-- What the business declared of its contacts' attributes; later writes are held to it.
create table contact_fields (
  id         uuid not null,
  key        text not null,
  label      text not null,
  type       text not null check (type in ('text', 'number', 'date', 'boolean', 'select')),
  -- Of a select: the texts to choose from.
  options    text[] check ((options is not null) = (type = 'select')),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
select tenant_table('contact_fields');
create unique index contact_fields_key on contact_fields (workspace_id, key);

-- At which of the workspace's numbers the operator keeps a contact from writing.
create table contact_blocks (
  contact_id      uuid not null,
  phone_number_id uuid not null,
  created_at      timestamptz not null
);
select tenant_table('contact_blocks', 'contact_id, phone_number_id');
create trigger erase_contact_blocks after delete on contacts referencing old table as erased
  for each statement execute function erase_dependents('contact_blocks', 'contact_id');
