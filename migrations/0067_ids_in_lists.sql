-- An erasure keeps the ids that an event declares, and those in lists were lost: contact.merged no longer said which chats became one.

-- What stays of a value by a shape: `true` is an id of ours, `[shape]` a list, an object its declared fields. Null: nothing stays.
create function kept_ids(value jsonb, shape jsonb) returns jsonb
  language sql immutable parallel safe
  as $$
    select case
      when jsonb_typeof(shape) = 'boolean' then
        case when value #>> '{}' ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then value end
      when jsonb_typeof(shape) = 'array' and jsonb_typeof(value) = 'array' then
        (select coalesce(jsonb_agg(kept order by place) filter (where kept is not null), '[]')
         from jsonb_array_elements(value) with ordinality as element (one, place)
         cross join lateral (select kept_ids(one, shape -> 0) as kept) part)
      when jsonb_typeof(shape) = 'object' and jsonb_typeof(value) = 'object' then
        (select coalesce(jsonb_object_agg(key, kept) filter (where kept is not null), '{}')
         from jsonb_each(value) as field (key, one)
         cross join lateral (select kept_ids(one, shape -> key) as kept) part)
    end
  $$;

create or replace function ids_only(data jsonb, shape jsonb) returns jsonb
  language sql immutable parallel safe
  as $$
    select coalesce(kept_ids(data, shape), '{}')
  $$;
