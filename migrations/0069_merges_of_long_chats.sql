-- A merge held up the sends of its workspace for as long as it rewrote every message of a chat: 200,000 of them took 15 seconds. The longer of
-- two chats stays now, and of a chat that stays the newest messages change their contact at once; a job carries the others in batches.

-- Whether one chat has many messages, and more than another.
create function is_longer_chat(workspace uuid, one uuid, other uuid) returns boolean
  language plpgsql stable
  as $$
begin
  -- Short chats are carried at once, whichever is longer: the chat of the kept contact stays.
  if not exists (
    select from messages m where m.workspace_id = workspace and m.conversation_id = one offset 1000 limit 1
  ) then
    return false;
  end if;
  -- Counting a long chat takes as long as carrying a short one.
  if not exists (
    select from messages m where m.workspace_id = workspace and m.conversation_id = other offset 1000 limit 1
  ) then
    return true;
  end if;
  return (select count(*) from messages m where m.workspace_id = workspace and m.conversation_id = one)
       > (select count(*) from messages m where m.workspace_id = workspace and m.conversation_id = other);
end
$$;

create or replace function merge_conversations() returns trigger
  language plpgsql
  set enable_seqscan = off
  as $$
declare
  pair merged_contacts;
  kept conversations;
  gone conversations;
  kept_activity conversation_activity;
  gone_activity conversation_activity;
  last_direction text;
  -- Which chat goes on, and which becomes part of it.
  staying uuid;
  leaving uuid;
begin
  if merge_settings() is null then
    return null;
  end if;
  for pair in select * from merged order by workspace_id, id loop
    perform 1 from conversations c
    where c.workspace_id = pair.workspace_id and c.contact_id in (pair.id, pair.kept_id) order by c.id for update;
    perform 1 from conversation_activity a
    where a.workspace_id = pair.workspace_id and a.conversation_id in (
      select c.id from conversations c where c.workspace_id = pair.workspace_id and c.contact_id in (pair.id, pair.kept_id))
    order by a.conversation_id for update;
    for gone in
      select c.* from conversations c where c.workspace_id = pair.workspace_id and c.contact_id = pair.id order by c.id
    loop
      select k.* into kept from conversations k
      where k.workspace_id = pair.workspace_id and k.contact_id = pair.kept_id and k.phone_number_id = gone.phone_number_id;
      if kept.id is null then
        update conversations c set contact_id = pair.kept_id, updated_at = pair.merged_at
        where c.workspace_id = pair.workspace_id and c.id = gone.id;
        continue;
      end if;
      select a.* into kept_activity from conversation_activity a
      where a.workspace_id = pair.workspace_id and a.conversation_id = kept.id;
      select a.* into gone_activity from conversation_activity a
      where a.workspace_id = pair.workspace_id and a.conversation_id = gone.id;
      staying := kept.id;
      leaving := gone.id;
      if is_longer_chat(pair.workspace_id, gone.id, kept.id) then
        staying := gone.id;
        leaving := kept.id;
      end if;
      insert into merged_conversations (workspace_id, id, kept_id, merged_with, merged_at)
      values (pair.workspace_id, leaving, staying, pair.id, pair.merged_at);
      -- A contact has one chat on a number.
      delete from conversations c where c.workspace_id = pair.workspace_id and c.id = leaving;
      update conversations c set
        contact_id = pair.kept_id,
        state = case when 'open' in (kept.state, gone.state) then 'open' when 'pending' in (kept.state, gone.state) then 'pending' else 'resolved' end,
        priority = (array['urgent', 'high', 'normal', 'low'])[least(
          array_position(array['urgent', 'high', 'normal', 'low'], kept.priority),
          array_position(array['urgent', 'high', 'normal', 'low'], gone.priority))],
        is_archived = kept.is_archived and gone.is_archived,
        assigned_agent_id = coalesce(kept.assigned_agent_id, gone.assigned_agent_id),
        window_expires_at = greatest(kept.window_expires_at, gone.window_expires_at),
        window_open = kept.window_open or gone.window_open,
        -- The earlier look finds that the window was extended, and comes again.
        window_run_at = least(kept.window_run_at, gone.window_run_at),
        run_offset_ms = case when gone.window_run_at = least(kept.window_run_at, gone.window_run_at) then gone.run_offset_ms else kept.run_offset_ms end,
        free_entry_expires_at = greatest(kept.free_entry_expires_at, gone.free_entry_expires_at),
        referred_at = greatest(kept.referred_at, gone.referred_at),
        last_inbound_at = greatest(kept.last_inbound_at, gone.last_inbound_at),
        unread_count = kept.unread_count + gone.unread_count,
        is_unread = kept.is_unread or gone.is_unread,
        last_read_at = greatest(kept.last_read_at, gone.last_read_at),
        read_message_id = greatest(kept.read_message_id, gone.read_message_id),
        updated_at = pair.merged_at
      where c.workspace_id = pair.workspace_id and c.id = staying;
      -- Whom we answered last does not wait, whichever chat the question was in.
      select m.direction into last_direction from messages m
      where m.workspace_id = pair.workspace_id and m.conversation_id = staying order by m.id desc limit 1;
      update conversation_activity a set
        activity_id = greatest(kept_activity.activity_id, gone_activity.activity_id),
        last_message_at = greatest(kept_activity.last_message_at, gone_activity.last_message_at),
        waiting_since = case when last_direction is distinct from 'outbound'
          then least(kept_activity.waiting_since, gone_activity.waiting_since) end,
        waiting_id = case when last_direction is distinct from 'outbound'
          then least(kept_activity.waiting_id, gone_activity.waiting_id) end,
        person_answered_at = greatest(kept_activity.person_answered_at, gone_activity.person_answered_at)
      where a.workspace_id = pair.workspace_id and a.conversation_id = staying;
    end loop;
  end loop;
  return null;
end
$$;

-- Messages of chats that stay: those that others go by, and the newest. The rest name the id of before meanwhile, which leads to the kept contact.
create or replace function merge_moved_messages() returns trigger
  language plpgsql
  as $$
declare
  chat record;
  beyond uuid;
begin
  for chat in
    select c.workspace_id, c.id, merged.id as gone_id, merged.kept_id, merged.phone
    from merged join conversations c on c.workspace_id = merged.workspace_id and c.contact_id = merged.kept_id
    order by c.workspace_id, c.id
  loop
    select m.id into beyond from messages m
    where m.workspace_id = chat.workspace_id and m.conversation_id = chat.id order by m.id desc offset 1000 limit 1;
    update messages m
    set contact_id = chat.kept_id, sent_to = case when m.run_at is not null then coalesce(m.sent_to, chat.phone) end
    where m.workspace_id = chat.workspace_id and m.conversation_id = chat.id and m.contact_id = chat.gone_id
      and (beyond is null or m.id > beyond or m.run_at is not null or m.broadcast_id is not null or m.status = 'queued');
    insert into jobs (workspace_id, id, name, payload, run_at, created_at, outside)
    select chat.workspace_id, gen_random_uuid(), 'carry_merged_messages',
      jsonb_build_object('conversationId', chat.id, 'mergedId', chat.gone_id, 'reached', beyond), now(), now(), false
    where beyond is not null and exists (
      select from messages m where m.workspace_id = chat.workspace_id and m.conversation_id = chat.id and m.id <= beyond
        and m.contact_id = chat.gone_id);
  end loop;
  return null;
end
$$;

-- The table is never read as a whole, however few and long its chats are.
create or replace function merge_joined_messages() returns trigger
  language plpgsql
  set enable_seqscan = off
  as $$
begin
  update messages m
  set conversation_id = merged.kept_id, contact_id = gone.kept_id,
      sent_to = case when m.run_at is not null and m.contact_id = gone.id then coalesce(m.sent_to, gone.phone) else m.sent_to end
  from merged join merged_contacts gone on gone.workspace_id = merged.workspace_id and gone.id = merged.merged_with
  where m.workspace_id = merged.workspace_id and m.conversation_id = merged.id;
  return null;
end
$$;

-- Carries the next messages of a chat, up to `reached`, from a merged contact to the one that has the chat now. Returns how far it came;
-- null: that was the last of them. Events that were written for such messages since the merge follow.
create function carry_merged_messages(workspace uuid, conversation uuid, gone uuid, reached uuid, at_most integer) returns uuid
  language plpgsql
  as $$
declare
  kept uuid;
  lowest uuid;
  found_rows integer;
begin
  select c.contact_id into kept from conversations c
  where c.workspace_id = workspace and c.id = conversation for key share;
  if kept is null then
    return null;
  end if;
  with page as materialized (
    select m.id from messages m
    where m.workspace_id = workspace and m.conversation_id = conversation and m.id <= reached order by m.id desc limit at_most
  ), held as materialized (
    select m.id from messages m join page on page.id = m.id
    where m.workspace_id = workspace and m.contact_id = gone order by m.id for no key update of m
  ), carried as (
    update messages m set contact_id = kept from held where m.workspace_id = workspace and m.id = held.id
  )
  select (select id from page order by id limit 1), (select count(*) from page) into lowest, found_rows;
  if found_rows < at_most then
    update events e set contact_id = kept where e.workspace_id = workspace and e.contact_id = gone;
    return null;
  end if;
  return id_before(lowest);
end
$$;
