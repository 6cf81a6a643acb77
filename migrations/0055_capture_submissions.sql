-- What arrived at the capture link, as it arrived, for 30 days (docs/decisions/lead-capture.md). The same bytes are one row with a count.
create table capture_submissions (
  workspace_id     uuid not null,
  -- SHA-256 of the content type and the body.
  digest           bytea not null,
  id               uuid not null,
  -- captured: it became a lead, or came in again; needs_attention: a person has to look; dismissed: a test, a robot, or dismissed by hand.
  state            text not null check (state in ('captured', 'needs_attention', 'dismissed')),
  -- Why it is no lead by itself: no_number, bad_number, test, robot, empty, or the code of the refusal, with its message.
  reason           text,
  message          text,
  body             bytea not null,
  content_type     text,
  -- {userAgent, origin, referer}
  headers          json not null,
  -- Its fields, of what needs attention; null where it could not be read.
  content          json,
  -- SHA-256 of the form and the paths of its fields.
  shape            bytea,
  form             text,
  -- Who sent it, as a hash: one sender holds a bounded number of rows.
  sender           bytea not null,
  times            integer not null default 1,
  received_at      timestamptz not null,
  last_received_at timestamptz not null,
  contact_id       uuid,
  lead_id          uuid,
  -- Numbers in E.164 that are in it, of what hangs on no contact.
  phones           text[],
  primary key (workspace_id, digest)
);
select tenant_rows('capture_submissions');
create index capture_submissions_state on capture_submissions (workspace_id, state, id);
create index capture_submissions_contact on capture_submissions (workspace_id, contact_id) where contact_id is not null;
create index capture_submissions_sender on capture_submissions (workspace_id, sender, id) where state <> 'captured';
create index capture_submissions_phones on capture_submissions using gin (phones) where phones is not null;
create index capture_submissions_age on capture_submissions using brin (received_at);
create trigger erase_capture_submissions after delete on contacts referencing old table as erased
  for each statement execute function erase_dependents('capture_submissions', 'contact_id');

-- What hangs on no contact goes by any number that stands in it. tg_argv[0] names the column of the number.
create function forget_capture_submissions() returns trigger
  language plpgsql
  as $$
begin
  execute format(
    'delete from capture_submissions s using erased where s.workspace_id = erased.workspace_id and s.phones @> array[erased.%I]',
    tg_argv[0]);
  return null;
end
$$;
create trigger forget_capture_submissions after delete on contacts referencing old table as erased
  for each statement execute function forget_capture_submissions('phone');
create trigger forget_capture_submissions after delete on contact_aliases referencing old table as erased
  for each statement execute function forget_capture_submissions('key');

-- The kinds are those of the code (modules/notifications/schema.ts).
alter table notifications drop constraint notifications_kind_check;
