-- What members have begun to write in chats and not sent: one draft a person and chat.
create table drafts (
  conversation_id uuid not null,
  member_id       uuid not null,
  text            text not null,
  mode            text not null check (mode in ('reply', 'note')),
  -- Files to go with it: [{mediaId, filename, mimeType, sizeBytes}].
  files           jsonb not null,
  updated_at      timestamptz not null
);
select tenant_table('drafts', 'conversation_id, member_id');
create index drafts_member on drafts (workspace_id, member_id, updated_at desc);
create trigger erase_drafts after delete on conversations referencing old table as erased
  for each statement execute function erase_dependents('drafts', 'conversation_id');
