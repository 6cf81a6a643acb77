-- Statements that were several `with` parts, one of which inserted what another one found. Citus sends such results to all nodes,
-- so each function does the parts one after the other on the node of the cell, still in one round trip.

-- Adds the oldest differences to their sums (src/database/sql/summed-deltas.ts), and returns how many it added. Sums are locked in
-- one order, so that two concurrent runs cannot deadlock. Workspaces that are paused for a move (0076) keep their differences.
create function add_up(deltas text, sums text, keys text[], counts text[], having_sums text, max_rows int) returns int
  language plpgsql
  as $$
declare
  key text := array_to_string(keys, ', ');
  added jsonb;
  taken int;
begin
  execute format(
    'with oldest as materialized (
       select workspace_id, id from %1$I waiting
       where coalesce((select true from workspaces own where own.id = waiting.workspace_id and own.paused_at is null limit 1), false)
       order by workspace_id, id limit $1 for update skip locked
     ), taken as (
       delete from %1$I d using oldest where d.workspace_id = oldest.workspace_id and d.id = oldest.id returning d.*
     )
     select (select count(*) from taken),
       (select jsonb_agg(s) from (select %2$s, %3$s from taken group by %2$s having %4$s order by %2$s) s)',
    deltas, key, (select string_agg(format('sum(%1$s) as %1$s', name), ', ') from unnest(counts) name), having_sums)
    into taken, added using max_rows;
  if added is not null then
    execute format(
      'insert into %1$I (%2$s, %3$s) select %2$s, %3$s from jsonb_populate_recordset(null::%1$I, $1) order by %2$s
       on conflict (%2$s) do update set %4$s',
      sums, key, array_to_string(counts, ', '),
      (select string_agg(format('%2$s = %1$I.%2$s + excluded.%2$s', sums, name), ', ') from unnest(counts) name))
      using added;
  end if;
  return taken;
end
$$;

-- Adds the oldest changes to the counts of leads, deletes counts of zero, and returns how many changes it added.
create function add_up_lead_counts(max_rows int) returns int
  language plpgsql
  as $$
declare
  taken int;
  row_workspaces uuid[];
  row_topics text[];
  row_values text[];
  row_amounts bigint[];
begin
  with oldest as materialized (
    select workspace_id, id from lead_changes waiting
    where coalesce((select true from workspaces own where own.id = waiting.workspace_id and own.paused_at is null limit 1), false)
    order by workspace_id, id limit max_rows for update skip locked
  ), gone as (
    delete from lead_changes c using oldest o where c.workspace_id = o.workspace_id and c.id = o.id returning c.*
  ), added as (
    select c.workspace_id, t.topic, t.value, sum(c.amount)::bigint as amount
    from gone c cross join lateral lead_topics(
      c.stage_id, c.owner_id, c.rating, c.lost_reason_id, c.source, c.tags, c.phone_prefix, c.created_at, c.next_follow_up_at) t
    group by c.workspace_id, t.topic, t.value having sum(c.amount) <> 0
    order by c.workspace_id, t.topic, t.value
  )
  select (select count(*) from gone), array_agg(workspace_id), array_agg(topic), array_agg(value), array_agg(amount)
  into taken, row_workspaces, row_topics, row_values, row_amounts
  from added;
  if row_workspaces is null then return taken; end if;
  insert into lead_counts (workspace_id, topic, value, amount)
  select workspace_id, topic, value, amount
  from unnest(row_workspaces, row_topics, row_values, row_amounts) as a (workspace_id, topic, value, amount)
  on conflict (workspace_id, topic, value) do update set amount = lead_counts.amount + excluded.amount;
  delete from lead_counts c using unnest(row_workspaces, row_topics, row_values) as a (workspace_id, topic, value)
  where c.workspace_id = a.workspace_id and c.topic = a.topic and c.value = a.value and c.amount = 0;
  return taken;
end
$$;

-- Writes states of numbers that differ from the stored ones, and a notice for each number that was active. Returns the numbers.
create function set_number_states(
  workspaces uuid[], numbers uuid[], states text[], reasons text[], codes int[], times timestamptz[], tokens bytea[], notice text)
  returns table (workspace_id uuid, phone_number_id uuid)
  language plpgsql
  as $$
#variable_conflict use_column
declare
  row_workspaces uuid[];
  row_ids uuid[];
  row_broken boolean[];
  row_times timestamptz[];
begin
  with changed as (
    update phone_numbers n set state = u.state, state_reason = u.reason, state_code = u.code, state_at = u.at
    from (
      select n.workspace_id, n.id, n.state as was, u.state, u.reason, u.code, u.at
      from unnest(workspaces, numbers, states, reasons, codes, times, tokens) as u (workspace_id, id, state, reason, code, at, token)
      join phone_numbers n on n.workspace_id = u.workspace_id and n.id = u.id
      where (u.token is null or n.token_sealed = u.token)
        and (n.state, n.state_reason, n.state_code) is distinct from (u.state, u.reason, u.code)
      for no key update of n
    ) u
    where n.workspace_id = u.workspace_id and n.id = u.id
    returning n.workspace_id, n.id, u.was = 'active' and n.state <> 'active' as is_broken, n.state_at
  )
  select array_agg(c.workspace_id), array_agg(c.id), array_agg(c.is_broken), array_agg(c.state_at)
  into row_workspaces, row_ids, row_broken, row_times
  from changed c;
  insert into jobs (workspace_id, id, name, payload, run_at, created_at, outside)
  select n.workspace_id, gen_random_uuid(), notice, jsonb_build_object('phoneNumberId', n.id), n.at, n.at, false
  from unnest(row_workspaces, row_ids, row_broken, row_times) as n (workspace_id, id, is_broken, at) where n.is_broken;
  return query select * from unnest(row_workspaces, row_ids);
end
$$;

-- Blocks messages that begin a conversation until `until_at`, unless they are blocked already, and creates a notice. `at`: real time.
create function block_new_conversations(workspace uuid, blocked_number uuid, at timestamptz, until_at timestamptz, notice text) returns void
  language plpgsql
  as $$
begin
  update phone_numbers n set business_initiated_blocked_until = until_at
  from workspaces w
  where n.workspace_id = workspace and n.id = blocked_number and w.id = n.workspace_id
    and coalesce(n.business_initiated_blocked_until, '-infinity') <= after_ms(at, w.clock_offset_ms);
  if found then
    insert into jobs (workspace_id, id, name, payload, run_at, created_at, outside)
    values (workspace, gen_random_uuid(), notice, jsonb_build_object('phoneNumberId', blocked_number), at, at, false);
  end if;
end
$$;

-- Returns the next number of a series, and keeps the series' row locked; null if its latest number has a later day. If a year's
-- first day moves, the series continues, because both years have the same name.
create function take_series_number(workspace uuid, of_series text, of_year text, day text, is_earlier boolean) returns int
  language plpgsql
  as $$
declare
  moved_number int;
  moved_date text;
  taken int;
begin
  select coalesce(max(s.last_number), 0), max(s.last_date) into moved_number, moved_date from number_series s
  where s.workspace_id = workspace and s.series = of_series and s.financial_year <> of_year
    and left(s.financial_year, 4) = left(of_year, 4);
  if is_earlier and moved_date > day then return null; end if;
  loop
    update number_series s
    set last_number = greatest(s.last_number, moved_number) + 1, last_date = greatest(s.last_date, moved_date, day)
    where s.workspace_id = workspace and s.series = of_series and s.financial_year = of_year
      and (not is_earlier or s.last_date <= day)
    returning s.last_number into taken;
    if found then return taken; end if;
    insert into number_series (workspace_id, series, financial_year, last_number, last_date)
    values (workspace, of_series, of_year, moved_number + 1, greatest(moved_date, day))
    on conflict (workspace_id, series, financial_year) do nothing
    returning last_number into taken;
    if found then return taken; end if;
    -- The row has a later day, or another transaction has just inserted it.
    if exists (
      select from number_series s
      where s.workspace_id = workspace and s.series = of_series and s.financial_year = of_year and is_earlier and s.last_date > day)
    then return null; end if;
  end loop;
end
$$;

create function first_times(times timestamptz[], max_times int) returns timestamptz[]
  language sql immutable parallel safe
  as $$ select times[1:max_times] $$;

create function time_at(times timestamptz[], place int) returns timestamptz
  language sql immutable parallel safe
  as $$ select times[place] $$;

-- Records a mark for those of the contacts that have fewer than `max_marks` marks after `since`. Returns these contacts.
create function claim_marketing_marks(
  workspace uuid, contacts uuid[], at timestamptz, since timestamptz, max_marks int, kept int) returns uuid[]
  language plpgsql
  as $$
declare
  claimed uuid[];
  others uuid[];
begin
  with noted as (
    insert into marketing_marks (workspace_id, contact_id, times)
    select workspace, n.id, array[at] from unnest(contacts) as n (id) order by n.id
    on conflict (workspace_id, contact_id) do nothing returning contact_id)
  select coalesce(array_agg(contact_id), '{}') into claimed from noted;
  if cardinality(claimed) = cardinality(contacts) then return claimed; end if;
  with noted as (
    update marketing_marks m set times = first_times(at || m.times, kept)
    from (select id from (select unnest(contacts) except select unnest(claimed)) left_over (id) order by id) n
    where m.workspace_id = workspace and m.contact_id = n.id and (time_at(m.times, max_marks) is null or time_at(m.times, max_marks) <= since)
    returning m.contact_id)
  select coalesce(array_agg(contact_id), '{}') into others from noted;
  return claimed || others;
end
$$;

-- Starts missing conversations of a campaign's recipients and moves the others to the top
-- (src/modules/messaging/conversations/queries/campaign-conversations.ts).
create function open_campaign_conversations(
  workspace uuid, number uuid, at timestamptz, recipients uuid[], message_ids uuid[],
  out contacts uuid[], out messages uuid[], out chats uuid[])
  language plpgsql
  as $$
declare
  old_contacts uuid[];
  old_messages uuid[];
  old_chats uuid[];
  new_contacts uuid[];
  new_messages uuid[];
  made_contacts uuid[];
  made_chats uuid[];
begin
  select array_agg(r.contact_id order by c.id) filter (where c.id is not null),
    array_agg(r.message_id order by c.id) filter (where c.id is not null),
    array_agg(c.id order by c.id) filter (where c.id is not null),
    array_agg(r.contact_id order by r.contact_id) filter (where c.id is null),
    array_agg(r.message_id order by r.contact_id) filter (where c.id is null)
  into old_contacts, old_messages, old_chats, new_contacts, new_messages
  from unnest(recipients, message_ids) as r (contact_id, message_id)
  left join lateral (
    select v.id from conversations v
    where v.workspace_id = workspace and v.contact_id = r.contact_id and v.phone_number_id = number limit 1) c on true;
  if new_contacts is not null then
    with made as (
      insert into conversations (workspace_id, contact_id, phone_number_id, id, state, created_at, updated_at)
      select workspace, n.contact_id, number, n.id, 'resolved', at, at
      from unnest(new_contacts, new_messages) as n (contact_id, id)
      on conflict (workspace_id, contact_id, phone_number_id) do nothing
      returning contact_id, id)
    select array_agg(m.contact_id), array_agg(m.id) into made_contacts, made_chats from made m;
    insert into conversation_activity (workspace_id, conversation_id, activity_id, last_message_at)
    select workspace, id, id, at from unnest(made_chats) as n (id);
  end if;
  if old_chats is not null and coalesce(cardinality(made_chats), 0) = coalesce(cardinality(new_contacts), 0) then
    with moved as (
      update conversation_activity a
      set activity_id = old.message_id, last_message_at = greatest(a.last_message_at, at)
      from unnest(old_contacts, old_messages, old_chats) as old (contact_id, message_id, id)
      where a.workspace_id = workspace and a.conversation_id = old.id
      returning old.contact_id, old.message_id, old.id)
    select array_agg(m.contact_id), array_agg(m.message_id), array_agg(m.id) into contacts, messages, chats from moved m;
  end if;
  contacts := contacts || made_contacts;
  messages := messages || made_chats;
  chats := chats || made_chats;
end
$$;

-- Creates the partition of a log for a day (UTC), unless it exists; the rows that arrived without one move to it. As before, but
-- the rows are copied and deleted in two statements, while no other transaction uses their table.
create or replace function make_log_day(log text, day date) returns boolean
  language plpgsql
  as $$
declare
  part text := log || '_' || to_char(day, 'YYYYMMDD');
  other text := log || '_other';
  low uuid := id_bound(day::timestamp at time zone 'UTC');
  high uuid := id_bound((day + 1)::timestamp at time zone 'UTC');
begin
  if to_regclass(part) is not null then return false; end if;
  execute format('lock table %I in access exclusive mode', other);
  -- A concurrent duplicate may have created it meanwhile.
  if to_regclass(part) is not null then return false; end if;
  -- A delivery is inserted small and grows to three times its size when it is settled. With room on its page, leases and results
  -- need no new index entries.
  execute format('create table %I (like %I including defaults including constraints including indexes) with (fillfactor = %s)',
    part, log, case log when 'deliveries' then 30 else 100 end);
  execute format('insert into %I select * from %I where id >= %L and id < %L', part, other, low, high);
  execute format('delete from %I where id >= %L and id < %L', other, low, high);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', log, part, low, high);
  return true;
end
$$;

create or replace function forget_identifiers() returns trigger
  language plpgsql
  as $$
declare
  erasure jsonb := nullif(current_setting('parley.erasure', true), '');
  gone record;
  unapplied text[];
  of_person boolean := tg_argv[0] = 'person';
begin
  if erasure is null then
    return null;
  end if;
  for gone in execute format(
    $query$
      select workspace_id, array_agg(distinct name) as named,
        array_agg(distinct name) filter (where %L = 'person' or created_at >= $1) as remembered
      from erased cross join lateral (select regexp_replace(column_value, '^(\+|chan:|sx:)', '') from unnest(array[%s]) column_value) n (name)
      where name is not null group by workspace_id
    $query$, tg_argv[0], array_to_string(tg_argv[1:], ', ')) using (erasure ->> 'since')::timestamptz
  loop
    unapplied := delete_reports_naming(gone.workspace_id, gone.named);
    insert into erased_ids (workspace_id, hash, is_person, erased_at, erasure_id)
    select gone.workspace_id, erased_hash(decode(erasure ->> 'key', 'hex'), name), bool_or(is_person),
      (erasure ->> 'at')::timestamptz, (erasure ->> 'id')::uuid
    from (
      select name, of_person as is_person from unnest(gone.remembered) name
      union all select name, false from unnest(unapplied) name) remembered
    group by name
    on conflict (workspace_id, hash) do update
      set is_person = excluded.is_person, erased_at = excluded.erased_at, erasure_id = excluded.erasure_id;
  end loop;
  return null;
end
$$;
