-- What customers think of what they bought, or were visited for.

create table review_settings (
  workspace_id uuid primary key,
  settings     jsonb not null,
  updated_at   timestamptz not null
);
select tenant_rows('review_settings');

-- One for each subject. While run_at is set, it waits to be sent.
create table review_requests (
  id            uuid not null,
  about         text not null check (about in ('invoice', 'booking')),
  subject_id    uuid not null,
  subject_label text not null,
  -- Null: nobody that is known, or somebody who was erased.
  contact_id    uuid,
  customer_name text,
  via           text not null check (via in ('chat', 'link')),
  -- That it is over is said by expires_at.
  status        text not null check (status in ('queued', 'sent', 'answered', 'failed')),
  failure       text,
  message_id    uuid,
  -- The link that its customer opens; null: of an erased customer's none is left.
  public_token  text,
  run_at        timestamptz,
  run_offset_ms bigint,
  sent_at       timestamptz,
  expires_at    timestamptz,
  answered_at   timestamptz,
  created_at    timestamptz not null,
  check ((status = 'queued') = (run_at is not null)),
  check ((status = 'answered') = (answered_at is not null))
);
select tenant_table('review_requests');
create unique index review_requests_subject on review_requests (workspace_id, about, subject_id);
create unique index review_requests_public_token on review_requests (public_token) where public_token is not null;
create index review_requests_contact on review_requests (workspace_id, contact_id, sent_at) where contact_id is not null;
create index review_requests_due on review_requests (run_at) where run_at is not null;
create index review_requests_due_in_workspace on review_requests (workspace_id, run_at) where run_at is not null;
create index review_requests_offset on review_requests (workspace_id, run_offset_ms)
  where run_offset_ms is not null and run_at is not null;

create table reviews (
  id            uuid not null,
  request_id    uuid not null,
  rating        integer not null check (rating between 1 and 5),
  comment       text,
  low           boolean not null,
  about         text not null check (about in ('invoice', 'booking')),
  subject_id    uuid not null,
  subject_label text not null,
  contact_id    uuid,
  customer_name text,
  answered_at   timestamptz not null
);
select tenant_table('reviews');
create unique index reviews_request on reviews (workspace_id, request_id);
create index reviews_contact on reviews (workspace_id, contact_id) where contact_id is not null;

-- A review keeps its rating and its time; who gave it, and what they wrote, goes with them.
create function erase_reviews() returns trigger
  language plpgsql
  as $$
begin
  delete from review_requests r using erased
  where r.workspace_id = erased.workspace_id and r.contact_id = erased.id and r.status <> 'answered';
  update review_requests r set contact_id = null, customer_name = null, public_token = null from erased
  where r.workspace_id = erased.workspace_id and r.contact_id = erased.id;
  update reviews r set contact_id = null, customer_name = null, comment = null from erased
  where r.workspace_id = erased.workspace_id and r.contact_id = erased.id;
  return null;
end
$$;
create trigger erase_reviews after delete on contacts referencing old table as erased
  for each statement execute function erase_reviews();
