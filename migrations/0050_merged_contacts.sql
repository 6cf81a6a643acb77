-- Contacts that turned out to be one person (docs/decisions/merging-contacts.md). A row says which contact, chat, or lead an id
-- of before leads to. Inserting the row is the merge: each table says by a trigger on it how its rows follow, as
-- erase_dependents says how they go with an erased contact.

create table merged_contacts (
  -- The contact that is gone.
  id        uuid not null,
  kept_id   uuid not null,
  -- As it was: E.164 with +, or chan:<user id>.
  phone     text not null,
  -- In the workspace's time.
  merged_at timestamptz not null
);
select tenant_table('merged_contacts');
create index merged_contacts_kept on merged_contacts (workspace_id, kept_id);
create index merged_contacts_time on merged_contacts (workspace_id, merged_at);

create table merged_conversations (
  id          uuid not null,
  kept_id     uuid not null,
  -- The contact whose merge made one of both.
  merged_with uuid not null,
  merged_at   timestamptz not null
);
select tenant_table('merged_conversations');
create index merged_conversations_kept on merged_conversations (workspace_id, kept_id);
create index merged_conversations_with on merged_conversations (workspace_id, merged_with);

create table merged_leads (
  id          uuid not null,
  kept_id     uuid not null,
  merged_with uuid not null,
  merged_at   timestamptz not null
);
select tenant_table('merged_leads');
create index merged_leads_kept on merged_leads (workspace_id, kept_id);
create index merged_leads_with on merged_leads (workspace_id, merged_with);

-- Ids of before lead nowhere once what they lead to is erased.
create trigger erase_merged_contacts after delete on contacts referencing old table as erased
  for each statement execute function erase_dependents('merged_contacts', 'kept_id');
create trigger erase_merged_conversations after delete on conversations referencing old table as erased
  for each statement execute function erase_dependents('merged_conversations', 'kept_id');
create trigger erase_merged_leads after delete on leads referencing old table as erased
  for each statement execute function erase_dependents('merged_leads', 'kept_id');

-- Rows of the table tg_argv[0] follow to what is kept: their column tg_argv[1] named what is gone. Where that column has no index
-- of its own, tg_argv[2] names the column of the contact, which has one.
create function merge_dependents() returns trigger
  language plpgsql
  as $$
begin
  execute format(
    'update %1$I dependent set %2$I = merged.kept_id from merged
     where dependent.workspace_id = merged.workspace_id and dependent.%2$I = merged.id %3$s',
    tg_argv[0], tg_argv[1],
    case when tg_argv[2] is not null then format(
      'and dependent.%1$I in (select merged.merged_with union all
         select kept_id from merged_contacts gone
         where gone.workspace_id = merged.workspace_id and gone.id = merged.merged_with)', tg_argv[2]) else '' end);
  return null;
end
$$;

-- A chain of merges is one step: A into B, then B into C.
create trigger merge_chain after insert on merged_contacts referencing new table as merged
  for each statement execute function merge_dependents('merged_contacts', 'kept_id');
create trigger merge_chain after insert on merged_conversations referencing new table as merged
  for each statement execute function merge_dependents('merged_conversations', 'kept_id');
create trigger merge_chain after insert on merged_leads referencing new table as merged
  for each statement execute function merge_dependents('merged_leads', 'kept_id');

-- What the operation gives the merge for its transaction: {limits: {tags, attributes, bytes}, notes: {<id of the merged contact>:
-- {id, actor, via, head, lines}}}. Without it nothing is merged: rows that a restore inserts change nothing.
create function merge_settings() returns jsonb
  language sql stable
  as $$ select nullif(current_setting('parley.merge', true), '')::jsonb $$;

-- Tables of which a contact has any number of rows.
create trigger merge_aliases after insert on merged_contacts referencing new table as merged
  for each statement execute function merge_dependents('contact_aliases', 'contact_id');
create trigger merge_calls after insert on merged_contacts referencing new table as merged
  for each statement execute function merge_dependents('calls', 'contact_id');
create trigger merge_payment_requests after insert on merged_contacts referencing new table as merged
  for each statement execute function merge_dependents('payment_requests', 'contact_id');
create trigger merge_notifications after insert on merged_contacts referencing new table as merged
  for each statement execute function merge_dependents('notifications', 'contact_id');
create trigger merge_received_money after insert on merged_contacts referencing new table as merged
  for each statement execute function merge_dependents('received_money', 'contact_id');
create trigger merge_sales_documents after insert on merged_contacts referencing new table as merged
  for each statement execute function merge_dependents('sales_documents', 'contact_id');
create trigger merge_bookings after insert on merged_contacts referencing new table as merged
  for each statement execute function merge_dependents('bookings', 'contact_id');
create trigger merge_review_requests after insert on merged_contacts referencing new table as merged
  for each statement execute function merge_dependents('review_requests', 'contact_id');
create trigger merge_reviews after insert on merged_contacts referencing new table as merged
  for each statement execute function merge_dependents('reviews', 'contact_id');
create trigger merge_cod_questions after insert on merged_contacts referencing new table as merged
  for each statement execute function merge_dependents('cod_questions', 'contact_id');
-- Triggers go by their names: before that of the runs, so that it waits for whoever makes runs of a start just now.
create trigger merge_automation_before_runs after insert on merged_contacts referencing new table as merged
  for each statement execute function merge_dependents('automation_starts', 'contact_id');
create trigger merge_automation_runs after insert on merged_contacts referencing new table as merged
  for each statement execute function merge_dependents('automation_runs', 'contact_id');
-- The log of events goes with the contact that is kept when they are erased.
create trigger merge_events after insert on merged_contacts referencing new table as merged
  for each statement execute function merge_dependents('events', 'contact_id');

create trigger merge_calls after insert on merged_conversations referencing new table as merged
  for each statement execute function merge_dependents('calls', 'conversation_id', 'contact_id');
create trigger merge_notes after insert on merged_conversations referencing new table as merged
  for each statement execute function merge_dependents('conversation_notes', 'conversation_id');
create trigger merge_payment_requests after insert on merged_conversations referencing new table as merged
  for each statement execute function merge_dependents('payment_requests', 'conversation_id', 'contact_id');
create trigger merge_automation_runs after insert on merged_conversations referencing new table as merged
  for each statement execute function merge_dependents('automation_runs', 'conversation_id', 'contact_id');

create trigger merge_timeline after insert on merged_leads referencing new table as merged
  for each statement execute function merge_dependents('lead_timeline', 'lead_id');
create trigger merge_tasks after insert on merged_leads referencing new table as merged
  for each statement execute function merge_dependents('tasks', 'lead_id');
create trigger merge_received_money after insert on merged_leads referencing new table as merged
  for each statement execute function merge_dependents('received_money', 'lead_id', 'contact_id');
create trigger merge_social_conversations after insert on merged_leads referencing new table as merged
  for each statement execute function merge_dependents('social_conversations', 'lead_id');
create trigger merge_automation_runs after insert on merged_leads referencing new table as merged
  for each statement execute function merge_dependents('automation_runs', 'lead_id', 'contact_id');

-- Messages under way go to the number that they were accepted for; null: to the number that the contact has now.
alter table messages add column sent_to text;

-- Messages of chats that moved; those of chats that became one have been carried already.
create function merge_moved_messages() returns trigger
  language plpgsql
  as $$
begin
  update messages m
  set contact_id = merged.kept_id, sent_to = case when m.run_at is not null then coalesce(m.sent_to, merged.phone) end
  from merged join conversations c on c.workspace_id = merged.workspace_id and c.contact_id = merged.kept_id
  where m.workspace_id = c.workspace_id and m.conversation_id = c.id and m.contact_id = merged.id;
  return null;
end
$$;
create trigger merge_2_moved_messages after insert on merged_contacts referencing new table as merged
  for each statement execute function merge_moved_messages('messages', 'contact_id');

create function merge_joined_messages() returns trigger
  language plpgsql
  as $$
begin
  update messages m
  set conversation_id = merged.kept_id, contact_id = gone.kept_id,
      sent_to = case when m.run_at is not null then coalesce(m.sent_to, gone.phone) end
  from merged join merged_contacts gone on gone.workspace_id = merged.workspace_id and gone.id = merged.merged_with
  where m.workspace_id = merged.workspace_id and m.conversation_id = merged.id;
  return null;
end
$$;
create trigger merge_messages after insert on merged_conversations referencing new table as merged
  for each statement execute function merge_joined_messages('messages', 'conversation_id');

-- Both chats on one number become the kept contact's; a chat on a number where it has none moves. Chats and their activity are
-- locked in the order of their ids, as a send locks them.
create function merge_conversations() returns trigger
  language plpgsql
  as $$
declare
  pair merged_contacts;
  kept conversations;
  gone conversations;
  kept_activity conversation_activity;
  gone_activity conversation_activity;
  last_direction text;
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
      insert into merged_conversations (workspace_id, id, kept_id, merged_with, merged_at)
      values (pair.workspace_id, gone.id, kept.id, pair.id, pair.merged_at);
      update conversations c set
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
      where c.workspace_id = pair.workspace_id and c.id = kept.id;
      -- Whom we answered last does not wait, whichever chat the question was in.
      select m.direction into last_direction from messages m
      where m.workspace_id = pair.workspace_id and m.conversation_id = kept.id order by m.id desc limit 1;
      update conversation_activity a set
        activity_id = greatest(kept_activity.activity_id, gone_activity.activity_id),
        last_message_at = greatest(kept_activity.last_message_at, gone_activity.last_message_at),
        waiting_since = case when last_direction is distinct from 'outbound'
          then least(kept_activity.waiting_since, gone_activity.waiting_since) end,
        waiting_id = case when last_direction is distinct from 'outbound'
          then least(kept_activity.waiting_id, gone_activity.waiting_id) end,
        person_answered_at = greatest(kept_activity.person_answered_at, gone_activity.person_answered_at)
      where a.workspace_id = pair.workspace_id and a.conversation_id = kept.id;
      delete from conversations c where c.workspace_id = pair.workspace_id and c.id = gone.id;
    end loop;
  end loop;
  return null;
end
$$;
create trigger merge_1_conversations after insert on merged_contacts referencing new table as merged
  for each statement execute function merge_conversations('conversations', 'contact_id');

-- Which of two rows is kept where a chat has at most one. Nothing that a person wrote is lost: drafts are joined.
create function merge_drafts() returns trigger
  language plpgsql
  as $$
begin
  update drafts k
  set text = case when k.text = '' or d.text = '' then k.text || d.text else k.text || E'\n\n' || d.text end,
      files = k.files || d.files, updated_at = greatest(k.updated_at, d.updated_at)
  from merged join drafts d on d.workspace_id = merged.workspace_id and d.conversation_id = merged.id
  where k.workspace_id = merged.workspace_id and k.conversation_id = merged.kept_id and k.member_id = d.member_id;
  update drafts d set conversation_id = merged.kept_id from merged
  where d.workspace_id = merged.workspace_id and d.conversation_id = merged.id
    and not exists (
      select from drafts k
      where k.workspace_id = d.workspace_id and k.conversation_id = merged.kept_id and k.member_id = d.member_id);
  return null;
end
$$;
create trigger merge_drafts after insert on merged_conversations referencing new table as merged
  for each statement execute function merge_drafts('drafts', 'conversation_id');

-- A reply that either chat got lately is not given again.
create function merge_auto_reply_uses() returns trigger
  language plpgsql
  as $$
begin
  insert into auto_reply_uses as k (workspace_id, conversation_id, auto_reply_id, sent_at)
  select u.workspace_id, merged.kept_id, u.auto_reply_id, u.sent_at
  from merged join auto_reply_uses u on u.workspace_id = merged.workspace_id and u.conversation_id = merged.id
  on conflict (workspace_id, conversation_id, auto_reply_id) do update set sent_at = greatest(k.sent_at, excluded.sent_at);
  return null;
end
$$;
create trigger merge_auto_reply_uses after insert on merged_conversations referencing new table as merged
  for each statement execute function merge_auto_reply_uses('auto_reply_uses', 'conversation_id');

create function merge_automatic_messages() returns trigger
  language plpgsql
  as $$
begin
  insert into automatic_messages as k (workspace_id, conversation_id, sent_at)
  select a.workspace_id, merged.kept_id, a.sent_at
  from merged join automatic_messages a on a.workspace_id = merged.workspace_id and a.conversation_id = merged.id
  on conflict (workspace_id, conversation_id) do update
  set sent_at = array(select t from unnest(k.sent_at || excluded.sent_at) t order by t);
  return null;
end
$$;
create trigger merge_automatic_messages after insert on merged_conversations referencing new table as merged
  for each statement execute function merge_automatic_messages('automatic_messages', 'conversation_id');

-- A chat is with one bot at a time: with the one that waits longest for its customer's answer from now on, which is the one that
-- the customer wrote to last.
create function merge_bot_sessions() returns trigger
  language plpgsql
  as $$
begin
  delete from bot_sessions k
  using merged join bot_sessions s on s.workspace_id = merged.workspace_id and s.conversation_id = merged.id
  where k.workspace_id = merged.workspace_id and k.conversation_id = merged.kept_id and k.run_at < s.run_at;
  update bot_sessions s set conversation_id = merged.kept_id from merged
  where s.workspace_id = merged.workspace_id and s.conversation_id = merged.id
    and not exists (
      select from bot_sessions k where k.workspace_id = s.workspace_id and k.conversation_id = merged.kept_id);
  return null;
end
$$;
create trigger merge_bot_sessions after insert on merged_conversations referencing new table as merged
  for each statement execute function merge_bot_sessions('bot_sessions', 'conversation_id');

-- Nobody is asked twice about one chat. A second score stays under the id of before, and counts (erase_ratings leaves it).
create function merge_ratings() returns trigger
  language plpgsql
  as $$
begin
  delete from conversation_ratings k
  using merged join conversation_ratings r on r.workspace_id = merged.workspace_id and r.conversation_id = merged.id
  where k.workspace_id = merged.workspace_id and k.conversation_id = merged.kept_id
    and array_position(array['due', 'asked', 'rated'], k.status) < array_position(array['due', 'asked', 'rated'], r.status);
  update conversation_ratings r set conversation_id = merged.kept_id from merged
  where r.workspace_id = merged.workspace_id and r.conversation_id = merged.id
    and not exists (
      select from conversation_ratings k where k.workspace_id = r.workspace_id and k.conversation_id = merged.kept_id);
  return null;
end
$$;
create trigger merge_ratings after insert on merged_conversations referencing new table as merged
  for each statement execute function merge_ratings('conversation_ratings', 'conversation_id');

-- What the operator blocks at the number, where that is not the contact's own number alone.
alter table contact_blocks add column blocked_as text[];
create function merge_contact_blocks() returns trigger
  language plpgsql
  as $$
begin
  insert into contact_blocks as k (workspace_id, contact_id, phone_number_id, created_at, blocked_as)
  select b.workspace_id, merged.kept_id, b.phone_number_id, b.created_at, coalesce(b.blocked_as, array[merged.phone])
  from merged join contact_blocks b on b.workspace_id = merged.workspace_id and b.contact_id = merged.id
  on conflict (workspace_id, contact_id, phone_number_id) do update set blocked_as = excluded.blocked_as || coalesce(
    k.blocked_as, array(select c.phone from contacts c where c.workspace_id = k.workspace_id and c.id = k.contact_id));
  return null;
end
$$;
create trigger merge_contact_blocks after insert on merged_contacts referencing new table as merged
  for each statement execute function merge_contact_blocks('contact_blocks', 'contact_id');

-- Of what a person was sent for marketing the newest count, eight of them (contacts/queries/marketing.ts).
create function merge_marketing_marks() returns trigger
  language plpgsql
  as $$
begin
  insert into marketing_marks as k (workspace_id, contact_id, times)
  select m.workspace_id, merged.kept_id, m.times
  from merged join marketing_marks m on m.workspace_id = merged.workspace_id and m.contact_id = merged.id
  order by 1, 2
  on conflict (workspace_id, contact_id) do update
  set times = (array(select t from unnest(k.times || excluded.times) t order by t desc))[1:8];
  return null;
end
$$;
-- The last of the tables whose rows sends write: triggers go by their names.
create trigger merge_zz_marketing_marks after insert on merged_contacts referencing new table as merged
  for each statement execute function merge_marketing_marks('marketing_marks', 'contact_id');

-- Both were people of one campaign: what the campaign came furthest with is kept. Its counts say what was done, and stay.
create function merge_recipients() returns trigger
  language plpgsql
  as $$
begin
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
create trigger merge_recipients after insert on merged_contacts referencing new table as merged
  for each statement execute function merge_recipients('broadcast_recipients', 'contact_id');

-- Orders of either number are this person's, also those that came while the plan had no room for their contact.
create function merge_orders() returns trigger
  language plpgsql
  as $$
begin
  update orders o set contact_id = merged.kept_id from merged
  where o.workspace_id = merged.workspace_id
    and (o.contact_id = merged.id or o.contact_id is null and not o.erased and o.phone = merged.phone);
  return null;
end
$$;
create trigger merge_orders after insert on merged_contacts referencing new table as merged
  for each statement execute function merge_orders('orders', 'contact_id');

-- Lists that name contacts, chats, or leads name what is kept, once.
create function merge_listed(listed jsonb, gone uuid, kept uuid) returns jsonb
  language sql immutable
  as $$
    select coalesce(jsonb_agg(id order by place), '[]')
    from (
      select case id when gone::text then kept::text else id end as id, min(place) as place
      from jsonb_array_elements_text(listed) with ordinality as l (id, place) group by 1) named
  $$;
create function merge_segments() returns trigger
  language plpgsql
  as $$
begin
  update segments s
  set definition = jsonb_set(s.definition, '{contactIds}', merge_listed(s.definition -> 'contactIds', merged.id, merged.kept_id))
  from merged where s.workspace_id = merged.workspace_id and s.definition -> 'contactIds' ? merged.id::text;
  update broadcasts b
  set segment = jsonb_set(b.segment, '{contactIds}', merge_listed(b.segment -> 'contactIds', merged.id, merged.kept_id))
  from merged where b.workspace_id = merged.workspace_id and b.segment -> 'contactIds' ? merged.id::text
    and b.status in ('draft', 'scheduled', 'running', 'paused');
  return null;
end
$$;
create trigger merge_segments after insert on merged_contacts referencing new table as merged
  for each statement execute function merge_segments();

create function merge_saved_views() returns trigger
  language plpgsql
  as $$
begin
  update saved_views v
  set filter = replace(v.filter::text, merged.id::text, merged.kept_id::text)::jsonb,
      chats = replace(v.chats::text, merged.id::text, merged.kept_id::text)::jsonb
  from merged where v.workspace_id = merged.workspace_id
    and (position(merged.id::text in v.filter::text) > 0 or position(merged.id::text in v.chats::text) > 0);
  return null;
end
$$;
create trigger merge_saved_views after insert on merged_contacts referencing new table as merged
  for each statement execute function merge_saved_views();
create trigger merge_saved_views after insert on merged_leads referencing new table as merged
  for each statement execute function merge_saved_views();

-- Work that waits names what is kept. What is being done just now has its payload in hand, and finds it by the id of before.
create function merge_jobs() returns trigger
  language plpgsql
  as $$
begin
  update jobs j set payload = jsonb_set(j.payload, array[tg_argv[0]], to_jsonb(merged.kept_id)) from merged
  where j.workspace_id = merged.workspace_id and (j.workspace_id, j.id) in (
    select w.workspace_id, w.id from jobs w
    where w.workspace_id = merged.workspace_id and w.payload ->> tg_argv[0] = merged.id::text for update skip locked);
  return null;
end
$$;
create trigger merge_jobs after insert on merged_contacts referencing new table as merged
  for each statement execute function merge_jobs('contactId');
create trigger merge_jobs after insert on merged_conversations referencing new table as merged
  for each statement execute function merge_jobs('conversationId');

-- Two leads become one: the one that was won, else the one that is not lost, else the one with a deal or a payment, else the
-- older. It takes what it lacks from the other, and a note on its timeline says what differed.
create function merge_leads() returns trigger
  language plpgsql
  as $$
declare
  limits constant jsonb := merge_settings() -> 'limits';
  note jsonb;
  lines text[];
  pair merged_contacts;
  digits text;
  kept leads;
  gone leads;
  of_merged leads;
  all_tags text[];
  tags_left text[];
  attributes_left jsonb;
  united jsonb;
  manual timestamptz;
begin
  if merge_settings() is null then
    return null;
  end if;
  for pair in select * from merged order by workspace_id, id loop
    note := merge_settings() #> array['notes', pair.id::text];
    lines := array(select jsonb_array_elements_text(note -> 'lines'));
    perform 1 from leads l where l.workspace_id = pair.workspace_id and l.contact_id in (pair.id, pair.kept_id) order by l.id for update;
    select l.* into of_merged from leads l where l.workspace_id = pair.workspace_id and l.contact_id = pair.id;
    -- The number of a lead is that of its contact: of the kept one, unless that has none yet.
    select ltrim(c.phone, '+') into digits from contacts c
    where c.workspace_id = pair.workspace_id and c.id = pair.kept_id and c.phone like '+%';
    select l.* into kept from leads l where l.workspace_id = pair.workspace_id and l.contact_id = pair.kept_id;
    if of_merged.id is not null and kept.id is null then
      update leads l set contact_id = pair.kept_id, phone = coalesce(digits, l.phone), updated_at = pair.merged_at
      where l.workspace_id = pair.workspace_id and l.id = of_merged.id;
      kept := of_merged;
    elsif of_merged.id is not null then
      select l.* into kept from leads l
      join pipeline_stages s on s.workspace_id = l.workspace_id and s.id = l.stage_id
      left join pipeline_stages now on now.workspace_id = s.workspace_id and now.id = s.replaced_by
      where l.workspace_id = pair.workspace_id and l.contact_id in (pair.id, pair.kept_id)
      order by coalesce(now.kind, s.kind) = 'won' desc, coalesce(now.kind, s.kind) <> 'lost' desc,
        l.deal_value > 0 or l.paid_total > 0 desc, l.created_at, l.id
      limit 1;
      select l.* into gone from leads l
      where l.workspace_id = pair.workspace_id and l.contact_id in (pair.id, pair.kept_id) and l.id <> kept.id;
      insert into merged_leads (workspace_id, id, kept_id, merged_with, merged_at)
      values (pair.workspace_id, gone.id, kept.id, pair.id, pair.merged_at);
      delete from leads l where l.workspace_id = pair.workspace_id and l.id = gone.id;

      all_tags := kept.tags || array(select t from unnest(gone.tags) with ordinality g (t, n) where t <> all (kept.tags) order by n);
      tags_left := all_tags[(limits ->> 'tags')::int + 1:];
      united := gone.attributes || kept.attributes;
      if (select count(*) from jsonb_object_keys(united)) > (limits ->> 'attributes')::int or octet_length(united::text) > (limits ->> 'bytes')::int then
        united := kept.attributes;
      end if;
      select coalesce(jsonb_object_agg(key, value), '{}') into attributes_left
      from jsonb_each(gone.attributes) where value is distinct from united -> key;
      manual := least(kept.manual_follow_up_at, gone.manual_follow_up_at);
      lines := lines
        || merge_line('Lead name', gone.name, kept.name) || merge_line('Email', gone.email, kept.email)
        || merge_line('Source', gone.source, kept.source)
        || merge_line('Deal value', nullif(gone.deal_value, 0)::text, nullif(kept.deal_value, 0)::text)
        || merge_line('Rating', nullif(gone.rating, 0)::text, nullif(kept.rating, 0)::text)
        || merge_line('Stage',
          (select name from pipeline_stages s where s.workspace_id = pair.workspace_id and s.id = gone.stage_id),
          (select name from pipeline_stages s where s.workspace_id = pair.workspace_id and s.id = kept.stage_id))
        || merge_line('Lost reason',
          (select label from lost_reasons r where r.workspace_id = pair.workspace_id and r.id = gone.lost_reason_id), '')
        || merge_line('Owner',
          (select name from members o where o.workspace_id = pair.workspace_id and o.id = gone.owner_id),
          (select name from members o where o.workspace_id = pair.workspace_id and o.id = kept.owner_id))
        || merge_line('Lead tags', nullif(array_to_string(tags_left, ', '), ''), '')
        || array(select key || ': ' || case jsonb_typeof(value) when 'string' then value #>> '{}' else value::text end
                 from jsonb_each(attributes_left) order by key);
      update leads l set
        contact_id = pair.kept_id, phone = coalesce(digits, l.phone),
        name = coalesce(kept.name, gone.name), email = coalesce(kept.email, gone.email), source = coalesce(kept.source, gone.source),
        rating = case when kept.rating = 0 then gone.rating else kept.rating end,
        owner_id = coalesce(kept.owner_id, gone.owner_id),
        deal_value = case when kept.deal_value = 0 then gone.deal_value else kept.deal_value end,
        paid_total = kept.paid_total + gone.paid_total,
        tags = all_tags[:(limits ->> 'tags')::int], attributes = united,
        manual_follow_up_at = manual,
        next_follow_up_at = coalesce(
          (select min(t.due_at) from tasks t where t.workspace_id = l.workspace_id and t.lead_id = l.id and t.status = 'pending'), manual),
        capture_count = kept.capture_count + gone.capture_count,
        last_captured_at = greatest(kept.last_captured_at, gone.last_captured_at),
        updated_at = pair.merged_at
      where l.workspace_id = pair.workspace_id and l.id = kept.id;
    end if;
    if kept.id is not null then
      insert into lead_timeline (workspace_id, id, lead_id, kind, actor, via, data, created_at)
      values (pair.workspace_id, (note ->> 'id')::uuid, kept.id, 'note', (note -> 'actor')::json, note ->> 'via',
        json_build_object('body', merge_note(note ->> 'head', lines)), pair.merged_at);
    elsif cardinality(lines) > 0 then
      insert into conversation_notes (workspace_id, id, conversation_id, author_name, body, created_at)
      select c.workspace_id, (note ->> 'id')::uuid, c.id, note #>> '{actor,name}', merge_note(note ->> 'head', lines), pair.merged_at
      from conversations c where c.workspace_id = pair.workspace_id and c.contact_id in (pair.id, pair.kept_id)
      order by c.contact_id = pair.kept_id desc, c.id desc limit 1;
    end if;
  end loop;
  return null;
end
$$;
-- What the one that is gone said, where the kept one says something else.
create function merge_line(name text, gone text, kept text) returns text[]
  language sql immutable
  as $$ select case when gone is null or kept is null or gone = kept then '{}' else array[name || ': ' || gone] end $$;
create function merge_note(head text, lines text[]) returns text
  language sql immutable
  as $$
    select case when cardinality(lines) = 0 then head
      else head || E'\nNot kept from the other contact:\n' || array_to_string(lines, E'\n') end
  $$;
create trigger merge_3_leads after insert on merged_contacts referencing new table as merged
  for each statement execute function merge_leads('leads', 'contact_id');
