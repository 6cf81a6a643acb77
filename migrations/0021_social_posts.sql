-- Posts on the photo network (spec 2.9): what is published, of which files, and how far it has come.

-- Photos and videos for posts. The bytes lie in the media store under WORKSPACE/ID; they are what the network fetches.
create table social_media (
  id         uuid not null,
  -- pending: its bytes are not in the store yet.
  state      text not null check (state in ('pending', 'stored')),
  kind       text not null check (kind in ('image', 'video')),
  mime_type  text not null,
  size_bytes bigint not null,
  -- Hex.
  sha256     text not null,
  width      integer not null,
  height     integer not null,
  created_at timestamptz not null
);
select tenant_table('social_media');
-- A file's bytes go after its row, as those of messages do.
create trigger erase_files after delete on social_media referencing old table as erased
  for each statement execute function erase_files();

create table social_posts (
  id                uuid not null,
  kind              text not null check (kind in ('image', 'carousel', 'reel')),
  caption           text not null,
  -- scheduled: it waits for its time, or is on its way to the network.
  status            text not null check (status in ('draft', 'scheduled', 'published', 'failed', 'cancelled')),
  -- In the workspace's time; null: no time was set.
  scheduled_at      timestamptz,
  -- The one run of publishing that may go on with it; a run that is not named here any more does nothing.
  run_id            uuid,
  -- Since when it is on its way: from then on it cannot be cancelled.
  publishing_since  timestamptz,
  -- The connected account that it goes out on.
  account_id        uuid,
  -- The network's id of what is to be published. Publishing is asked for this one alone, however often.
  container_id      text,
  container_made_at timestamptz,
  -- When publishing was first asked for: from then on it may be out.
  publish_requested_at  timestamptz,
  -- Calls in a row that brought it no further.
  tries             integer not null default 0,
  network_media_id  text,
  permalink         text,
  published_at      timestamptz,
  -- Why it failed, and the network's code where it gave one.
  failure           text,
  failure_code      integer,
  created_at        timestamptz not null,
  updated_at        timestamptz not null
);
select tenant_table('social_posts');
create index social_posts_status on social_posts (workspace_id, status, id);
-- The calendar: what goes out, or went out, in a stretch of time.
create index social_posts_calendar on social_posts (workspace_id, coalesce(published_at, scheduled_at));
-- What is out belongs to one post.
create unique index social_posts_network_media on social_posts (workspace_id, account_id, network_media_id)
  where network_media_id is not null;

-- The files of a post, in their order.
create table social_post_media (
  post_id      uuid not null,
  position     integer not null,
  media_id     uuid not null,
  -- A carousel's part at the network.
  container_id text
);
select tenant_table('social_post_media', 'post_id, position');
create index social_post_media_file on social_post_media (workspace_id, media_id);
