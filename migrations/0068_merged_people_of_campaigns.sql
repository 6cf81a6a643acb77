-- A person of a running campaign whose contact is merged gets its message once: not twice from both contacts, and not never because the
-- campaign had passed over the contact that is kept.

-- The id before an id, in their order.
create function id_before(id uuid) returns uuid
  language sql immutable parallel safe
  as $$
    select (lpad(to_hex(case when low = 0 then high - 1 else high end), 16, '0')
         || lpad(to_hex(case low when -9223372036854775808 then 9223372036854775807 else low - 1 end), 16, '0'))::uuid
    from (select replace(id::text, '-', '') as digits) hex
    cross join lateral (
      select ('x' || left(digits, 16))::bit(64)::bigint as high, ('x' || right(digits, 16))::bit(64)::bigint as low) halves
  $$;

-- The person has been known since the earlier of both. Where the campaign has yet to come to the merged contact, and has passed over the
-- kept one without meeting it, the kept one is laid out as a stretch of its own. Steps are held off meanwhile.
create function merge_walks() returns trigger
  language plpgsql
  as $$
begin
  if merge_settings() is null then
    return null;
  end if;
  insert into broadcast_stretches (workspace_id, broadcast_id, after_id, until_id)
  select distinct b.workspace_id, b.id, id_before(merged.kept_id), merged.kept_id
  from merged
  join contacts gone on gone.workspace_id = merged.workspace_id and gone.id = merged.id
  join broadcasts b on b.workspace_id = merged.workspace_id and b.status in ('running', 'paused') and gone.created_at <= b.started_at
  where merged.kept_id <= b.walked_to
    and (merged.id > b.walked_to or exists (
      select from broadcast_stretches s
      where s.workspace_id = b.workspace_id and s.broadcast_id = b.id and s.after_id < merged.id and s.until_id >= merged.id))
    and not exists (
      select from broadcast_stretches s
      where s.workspace_id = b.workspace_id and s.broadcast_id = b.id and s.after_id < merged.kept_id and s.until_id >= merged.kept_id)
    and not exists (
      select from broadcast_recipients r
      where r.workspace_id = b.workspace_id and r.broadcast_id = b.id and r.contact_id = merged.kept_id);
  update contacts kept set created_at = gone.created_at
  from merged join contacts gone on gone.workspace_id = merged.workspace_id and gone.id = merged.id
  where kept.workspace_id = merged.workspace_id and kept.id = merged.kept_id and kept.created_at > gone.created_at;
  return null;
end
$$;
-- bears: the version before walks stretches of any length, and goes by created_at as it finds it.
create trigger merge_walks after insert on merged_contacts referencing new table as merged
  for each statement execute function merge_walks();

-- Of two messages of one campaign, one that waits is marked: of two that wait, that of the merged contact.
create or replace function merge_recipients() returns trigger
  language plpgsql
  as $$
begin
  with pairs as materialized (
    select k.workspace_id, k.broadcast_id, k.contact_id, k.message_id as kept_message, r.message_id as gone_message
    from merged
    join broadcast_recipients r on r.workspace_id = merged.workspace_id and r.contact_id = merged.id
    join broadcast_recipients k on k.workspace_id = r.workspace_id and k.broadcast_id = r.broadcast_id and k.contact_id = merged.kept_id
    where k.message_id is not null and r.message_id is not null
  ), chosen as (
    select pairs.*, case when is_waiting(gone) then gone.id when is_waiting(kept) then kept.id end as doubled
    from pairs
    join messages kept on kept.workspace_id = pairs.workspace_id and kept.id = pairs.kept_message
    join messages gone on gone.workspace_id = pairs.workspace_id and gone.id = pairs.gone_message
    where kept.status not in ('failed', 'skipped') and kept.skip_reason is null
      and gone.status not in ('failed', 'skipped') and gone.skip_reason is null
  ), marked as (
    update messages m set skip_reason = 'duplicate' from chosen c
    where m.workspace_id = c.workspace_id and m.id = c.doubled
  )
  -- The person's row is that of the message that goes.
  delete from broadcast_recipients k using chosen c
  where k.workspace_id = c.workspace_id and k.broadcast_id = c.broadcast_id and k.contact_id = c.contact_id
    and c.doubled = c.kept_message;
  delete from broadcast_recipients k
  using merged join broadcast_recipients r on r.workspace_id = merged.workspace_id and r.contact_id = merged.id
  where k.workspace_id = r.workspace_id and k.contact_id = merged.kept_id and k.broadcast_id = r.broadcast_id
    and array_position(array['skipped', 'waiting', 'queued'], k.state) < array_position(array['skipped', 'waiting', 'queued'], r.state);
  update broadcast_recipients r set contact_id = merged.kept_id from merged
  where r.workspace_id = merged.workspace_id and r.contact_id = merged.id
    and not exists (
      select from broadcast_recipients k
      where k.workspace_id = r.workspace_id and k.contact_id = merged.kept_id and k.broadcast_id = r.broadcast_id);
  return null;
end
$$;

-- Whether the hand-over of a message has not begun.
create function is_waiting(m messages) returns boolean
  language sql stable
  as $$ select m.status = 'queued' and m.leased_until is null and m.chanmid is null $$;
