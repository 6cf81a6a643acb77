-- Lists of leads: the indexes that serve them, the look-up that chooses among these, counters of what lists show as
-- their total, and saved views (docs/decisions/lead-lists.md).

create index leads_created on leads (workspace_id, created_at, id);
create index leads_updated on leads (workspace_id, updated_at, id);
create index leads_follow_up on leads (workspace_id, next_follow_up_at, id);
create index leads_rating on leads (workspace_id, rating, id);
create index leads_value on leads (workspace_id, deal_value, id);
create index leads_name on leads (workspace_id, lower(name), id);
-- What is asked for by words: rare ones are found here, frequent ones by walking the list.
create index leads_search on leads using gin (
  workspace_id,
  lower(coalesce(name, '') || ' ' || coalesce(email, '')) gin_trgm_ops,
  lower(source),
  tags,
  attributes jsonb_path_ops
) with (fastupdate = on);
create index lead_timeline_notes on lead_timeline using gin (workspace_id, lower(data ->> 'body') gin_trgm_ops)
  where kind = 'note';

-- The condition of a filter as SQL. `tree` holds names and positions alone: each name is one of those below, each position
-- is read as a number, and points to a value in the parameter $2 of the statement, so that no value becomes SQL.
--   [all|any, tree…], [not, tree], [noted] (the leads of $3), [noteLike, n], [allOf|anyOf|none, tags, n],
--   [holds, n], [op, column, n] with eq, gt, gte, lt, lte, in, like, null; [op, attribute, n, key, number|text]
create function lead_condition(tree jsonb) returns text
  language plpgsql immutable
  set search_path = pg_catalog, public
  as $$
declare
  kind text := tree ->> 0;
  value text;
  key text;
  branch jsonb;
  branches text[] := '{}';
  subject text;
  type text;
  operator text;
begin
  if kind in ('all', 'any') then
    for branch in select b.value from jsonb_array_elements(tree) with ordinality b (value, n) where n > 1 order by n loop
      branches := branches || lead_condition(branch);
    end loop;
    if cardinality(branches) = 0 then
      return case kind when 'all' then 'true' else 'false' end;
    end if;
    return '(' || array_to_string(branches, case kind when 'all' then ' and ' else ' or ' end) || ')';
  elsif kind = 'not' then
    return '(' || lead_condition(tree -> 1) || ' is not true)';
  elsif kind = 'noted' then
    return 'id = any($3)';
  end if;
  value := format('($2 ->> %s)', (tree ->> 2)::integer);
  key := format('($2 ->> %s)', (tree ->> 3)::integer);
  if kind = 'noteLike' then
    return format(
      'exists (select 1 from lead_timeline note where note.workspace_id = $1 and note.lead_id = leads.id
                 and note.kind = ''note'' and lower(note.data ->> ''body'') like lower(%s))', value);
  elsif kind = 'holds' then
    return format('attributes @> %s::jsonb', value);
  elsif kind = 'allOf' then
    return format('tags @> %s::text[]', value);
  elsif kind = 'anyOf' then
    return format('tags && %s::text[]', value);
  elsif kind = 'none' then
    return 'tags = ''{}''';
  end if;
  case tree ->> 1
    when 'id' then subject := 'id'; type := 'uuid';
    when 'contactId' then subject := 'contact_id'; type := 'uuid';
    when 'stage' then subject := 'stage_id'; type := 'uuid';
    when 'owner' then subject := 'owner_id'; type := 'uuid';
    when 'lostReason' then subject := 'lost_reason_id'; type := 'uuid';
    when 'phone' then subject := 'phone'; type := 'text';
    when 'name' then subject := 'lower(name)'; type := 'text';
    when 'email' then subject := 'lower(email)'; type := 'text';
    when 'source' then subject := 'lower(source)'; type := 'text';
    when 'words' then subject := 'lower(coalesce(name, '''') || '' '' || coalesce(email, ''''))'; type := 'text';
    when 'rating' then subject := 'rating'; type := 'integer';
    when 'captureCount' then subject := 'capture_count'; type := 'integer';
    when 'dealValue' then subject := 'deal_value'; type := 'numeric';
    when 'paidTotal' then subject := 'paid_total'; type := 'numeric';
    when 'nextFollowUpAt' then subject := 'next_follow_up_at'; type := 'timestamptz';
    when 'lastCapturedAt' then subject := 'last_captured_at'; type := 'timestamptz';
    when 'createdAt' then subject := 'created_at'; type := 'timestamptz';
    when 'updatedAt' then subject := 'updated_at'; type := 'timestamptz';
    when 'attribute' then
      if tree ->> 4 = 'number' then
        -- Forms and files know texts alone: one that spells a number is one.
        subject := format(
          'case when jsonb_typeof(attributes -> %1$s) = ''number''
               or jsonb_typeof(attributes -> %1$s) = ''string'' and (attributes ->> %1$s) ~ ''^-?[0-9]{1,30}([.][0-9]{1,30})?$''
             then (attributes ->> %1$s)::numeric end', key);
        type := 'numeric';
      elsif kind in ('gt', 'gte', 'lt', 'lte') then
        subject := format('case when jsonb_typeof(attributes -> %1$s) = ''string'' then lower(attributes ->> %1$s) end', key);
        type := 'text';
      else
        subject := format('lower(attributes ->> %s)', key);
        type := 'text';
      end if;
    else raise exception 'leads have no column for %', tree ->> 1;
  end case;
  if kind = 'null' then
    return format('(%s) is null', subject);
  end if;
  -- By the same rules as what it is compared with: not every language's letters are lowered alike everywhere.
  if type = 'text' then
    value := format('lower(%s)', value);
  end if;
  if kind = 'in' then
    return format('(%s) = any(%s::%s[])', subject, value, type);
  end if;
  operator := case kind when 'eq' then '=' when 'gt' then '>' when 'gte' then '>=' when 'lt' then '<' when 'lte' then '<=' when 'like' then 'like' end;
  if operator is null then
    raise exception 'leads are not compared by %', kind;
  end if;
  return format('(%s) %s %s::%s', subject, operator, value, type);
end
$$;

-- A page of the leads that fulfil a condition. Under row-level security LIKE and @> may not use an index (they are not
-- leakproof), so this runs as the owner of the tables and checks the workspace itself; it is planned with its values each
-- time. `stretches` are the ids of stages or owners (null: nobody) to which the condition is limited: a list by age then is
-- the nearest of each, whatever the planner guesses.
create function list_leads(
  workspace uuid, tree jsonb, vals jsonb, noted uuid[], sort text, descending boolean,
  stretch_column text, stretches uuid[], at_most integer, skip integer)
  returns setof uuid
  language plpgsql stable security definer
  set search_path = pg_catalog, public
  as $$
declare
  condition text := lead_condition(tree);
  subject text := case sort
    when 'createdAt' then 'created_at' when 'updatedAt' then 'updated_at' when 'nextFollowUpAt' then 'next_follow_up_at'
    when 'rating' then 'rating' when 'dealValue' then 'deal_value' when 'phone' then 'phone' when 'name' then 'lower(name)' end;
  direction text := case when descending then 'desc' else 'asc' end;
  stretch text := case stretch_column when 'stage' then 'stage_id' when 'owner' then 'owner_id' end;
  ordered text := format('order by %s %s, id %2$s', subject, direction);
  listed text;
  given bigint;
  passed bigint;
begin
  if not coalesce(workspace = any (tenant_workspaces()), false) then
    return;
  end if;
  if subject is null then
    raise exception 'leads are not sorted by %', sort;
  end if;
  if stretch is not null and sort = 'createdAt' then
    listed := format(
      'select nearest.* from unnest($4) stretch (id) cross join lateral (
         select id, created_at from leads where workspace_id = $1 and %s = stretch.id and %s %s limit $5 + $6
       ) nearest', stretch, condition, ordered);
    if array_position(stretches, null) is not null then
      listed := listed || format(
        ' union all (select id, created_at from leads where workspace_id = $1 and %1$s is null and %2$s
                     order by %1$s %3$s, created_at %3$s, id %3$s limit $5 + $6)', stretch, condition, direction);
    end if;
    return query execute format('select id from (%s) found %s limit $5 offset $6', listed, ordered)
      using workspace, vals, noted, stretches, at_most, skip;
    return;
  end if;
  listed := format('select id from leads where workspace_id = $1 and %s', condition);
  if sort not in ('nextFollowUpAt', 'name') then
    return query execute format('%s %s limit $5 offset $6', listed, ordered)
      using workspace, vals, noted, stretches, at_most, skip;
    return;
  end if;
  -- What is empty comes last in either direction.
  return query execute format('%s and %s is not null %s limit $5 offset $6', listed, subject, ordered)
    using workspace, vals, noted, stretches, at_most, skip;
  get diagnostics given = row_count;
  if given >= at_most then
    return;
  end if;
  passed := 0;
  if given = 0 and skip > 0 then
    execute format('select count(*) from (%s and %s is not null limit $5) passed', listed, subject)
      into passed using workspace, vals, noted, stretches, skip;
  end if;
  return query execute format('%s and %s is null %s limit $5 offset $6', listed, subject, ordered)
    using workspace, vals, noted, stretches, at_most - given, case when given > 0 then 0 else skip - passed end;
end
$$;

-- How many leads fulfil a condition, counted one by one.
create function count_leads(workspace uuid, tree jsonb, vals jsonb, noted uuid[]) returns bigint
  language plpgsql stable security definer
  set search_path = pg_catalog, public
  as $$
declare
  counted bigint;
begin
  if not coalesce(workspace = any (tenant_workspaces()), false) then
    return 0;
  end if;
  execute format('select count(*) from leads where workspace_id = $1 and %s', lead_condition(tree))
    into counted using workspace, vals, noted;
  return counted;
end
$$;

-- How many of the leads that fulfil a condition stand in each stage, and what their deals are worth together.
create function sum_leads_by_stage(workspace uuid, tree jsonb, vals jsonb, noted uuid[])
  returns table (stage_id uuid, count bigint, deal_value numeric)
  language plpgsql stable security definer
  set search_path = pg_catalog, public
  as $$
begin
  if not coalesce(workspace = any (tenant_workspaces()), false) then
    return;
  end if;
  return query execute format(
    'select leads.stage_id, count(*), coalesce(sum(leads.deal_value), 0) from leads where workspace_id = $1 and %s group by 1',
    lead_condition(tree))
    using workspace, vals, noted;
end
$$;

-- Leads that have a note like `pattern`, of at most so many notes.
create function noted_leads(workspace uuid, pattern text, at_most integer) returns setof uuid
  language plpgsql stable security definer
  set search_path = pg_catalog, public
  as $$
begin
  if not coalesce(workspace = any (tenant_workspaces()), false) then
    return;
  end if;
  return query execute
    'select lead_id from lead_timeline where workspace_id = $1 and kind = ''note'' and lower(data ->> ''body'') like lower($2) limit $3'
    using workspace, pattern, at_most;
end
$$;

-- How many leads there are of each kind. `topic` and `value` are laid out by lead_topics.
create table lead_counts (
  topic  text collate "C" not null,
  value  text collate "C" not null,
  amount bigint not null
) with (fillfactor = 50);
select tenant_table('lead_counts', 'topic, value');

-- What changes of that, as it stands in the lead: written beside the facts, read together with the sums, added up now
-- and then. Where each counts is worked out when it is read: whoever writes leads need not wait for that.
create table lead_changes (
  id                uuid not null default gen_random_uuid(),
  -- 1 for what came, -1 for what went.
  amount            integer not null,
  stage_id          uuid not null,
  owner_id          uuid,
  rating            integer not null,
  lost_reason_id    uuid,
  source            text,
  tags              text[] not null,
  -- As many digits as are counted by: the counters are about no person.
  phone_prefix      text not null,
  created_at        timestamptz not null,
  next_follow_up_at timestamptz
);
select tenant_table('lead_changes');

-- The quarter of an hour of a moment, in order as text: every midnight of the world begins one.
-- (Stable, like what it calls: PostgreSQL puts it into the statement instead of calling it.)
create function quarter_hour(moment timestamptz) returns text
  language sql stable
  as $$ select lpad(greatest(floor(extract(epoch from moment) / 900), 0)::bigint::text, 10, '0') $$;

-- Where a lead counts.
create function lead_topics(
  stage_id uuid, owner_id uuid, rating integer, lost_reason_id uuid, source text, tags text[], phone_prefix text,
  created_at timestamptz, next_follow_up_at timestamptz)
  returns table (topic text, value text)
  language sql stable
  as $$
    select 'people', concat_ws('|', stage_id, coalesce(owner_id::text, ''), rating, coalesce(lost_reason_id::text, ''))
    union all select 'source', stage_id || '|' || lower(source) where source is not null
    union all select distinct 'tag', stage_id || '|' || tag from unnest(tags) tag
    union all select 'phone', phone_prefix
    union all select 'born', quarter_hour(created_at)
    union all select 'due', quarter_hour(next_follow_up_at) || '|' || stage_id where next_follow_up_at is not null
  $$;

create function note_leads_added() returns trigger
  language plpgsql
  as $$
begin
  insert into lead_changes (workspace_id, amount, stage_id, owner_id, rating, lost_reason_id, source, tags, phone_prefix, created_at, next_follow_up_at)
  select workspace_id, 1, stage_id, owner_id, rating, lost_reason_id, source, tags, left(phone, 6), created_at, next_follow_up_at
  from moved;
  return null;
end
$$;
create trigger note_added after insert on leads referencing new table as moved
  for each statement execute function note_leads_added();

create function note_leads_removed() returns trigger
  language plpgsql
  as $$
begin
  insert into lead_changes (workspace_id, amount, stage_id, owner_id, rating, lost_reason_id, source, tags, phone_prefix, created_at, next_follow_up_at)
  select workspace_id, -1, stage_id, owner_id, rating, lost_reason_id, source, tags, left(phone, 6), created_at, next_follow_up_at
  from moved;
  return null;
end
$$;
create trigger note_removed after delete on leads referencing old table as moved
  for each statement execute function note_leads_removed();

create function note_lead_changed() returns trigger
  language plpgsql
  as $$
begin
  insert into lead_changes (workspace_id, amount, stage_id, owner_id, rating, lost_reason_id, source, tags, phone_prefix, created_at, next_follow_up_at)
  values
    (new.workspace_id, -1, old.stage_id, old.owner_id, old.rating, old.lost_reason_id, old.source, old.tags, left(old.phone, 6),
     old.created_at, old.next_follow_up_at),
    (new.workspace_id, 1, new.stage_id, new.owner_id, new.rating, new.lost_reason_id, new.source, new.tags, left(new.phone, 6),
     new.created_at, new.next_follow_up_at);
  return null;
end
$$;
-- A known number that comes in again moves nothing of this: it is not even asked.
create trigger note_changed after update on leads for each row
  when ((old.stage_id, old.owner_id, old.rating, old.lost_reason_id, old.source, old.tags, old.phone, old.created_at, old.next_follow_up_at)
    is distinct from
    (new.stage_id, new.owner_id, new.rating, new.lost_reason_id, new.source, new.tags, new.phone, new.created_at, new.next_follow_up_at))
  execute function note_lead_changed();

insert into lead_changes (workspace_id, amount, stage_id, owner_id, rating, lost_reason_id, source, tags, phone_prefix, created_at, next_follow_up_at)
select workspace_id, 1, stage_id, owner_id, rating, lost_reason_id, source, tags, left(phone, 6), created_at, next_follow_up_at
from leads;

-- Saved views of leads and of chats. A private one belongs to a member.
create table saved_views (
  id         uuid not null,
  page       text not null check (page in ('leads', 'inbox')),
  member_id  uuid,
  name       text not null,
  -- Of leads. References by id, as they were understood when the view was saved.
  filter     jsonb,
  -- Of chats: what GET /conversations takes.
  chats      jsonb,
  q          text,
  sort       text,
  dir        text check (dir in ('asc', 'desc')),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
select tenant_table('saved_views');
create unique index saved_views_name
  on saved_views (workspace_id, page, coalesce(member_id, '00000000-0000-0000-0000-000000000000'), lower(name));

-- How far a file has been taken in (parley import): written with its rows, so that it goes on where it stopped.
create table imports (
  -- SHA-256 of the file, what it is imported as, and how its columns are read.
  digest     bytea not null,
  -- Rows passed, from the first.
  passed     integer not null,
  created    integer not null,
  known      integer not null,
  refused    integer not null,
  updated_at timestamptz not null
);
select tenant_table('imports', 'digest');
