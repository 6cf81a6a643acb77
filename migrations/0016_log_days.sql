-- The logs of events and of deliveries in parts, one for each day of real time (UTC), so that what is older than the log is
-- dropped and never deleted (docs/decisions/log-by-day.md). Ids are UUIDv7 and begin with the real time of their making:
-- a range of ids is a stretch of time, and the key stays what it was.

-- The smallest of the ids that are made at a moment or later.
create function id_bound(at timestamptz) returns uuid
  language sql immutable parallel safe
  as $$ select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid $$;

-- Makes the part of a log for a day (UTC), unless it is there. Attaching a table, unlike making one as a part, stops nobody
-- who writes; what had to be put aside because the day was missing moves in.
create function make_log_day(log text, day date) returns boolean
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
  -- A concurrent duplicate may have made it while we waited.
  if to_regclass(part) is not null then return false; end if;
  -- A delivery is made small, leased, and grows to three times its size when it is settled: with room for that on its page the
  -- lease costs no index entry, and the table ends up no larger.
  execute format('create table %I (like %I including defaults including constraints including indexes) with (fillfactor = %s)',
    part, log, case log when 'deliveries' then 30 else 100 end);
  execute format('with moved as (delete from %I where id >= %L and id < %L returning *) insert into %I select * from moved',
    other, low, high, part);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', log, part, low, high);
  return true;
end
$$;

alter table events rename to events_whole;
alter table events_whole rename constraint events_pkey to events_whole_pkey;
drop index events_name, events_contact, events_age;

create table events (
  id           uuid not null,
  name         text not null,
  data         json not null,
  -- When it happened, in the workspace's time; identical on every delivery (spec 6.1).
  created_at   timestamptz not null,
  -- Whom the data speaks of, for erasure.
  contact_id   uuid,
  workspace_id uuid not null,
  -- Of which transaction it is: events are read in this order, up to the oldest transaction that is not over, so that none
  -- appears behind a reader (docs/decisions/event-log.md). Means something in this installation of PostgreSQL alone.
  written_in   xid8 not null default pg_current_xact_id(),
  primary key (workspace_id, id)
) partition by range (id);
select tenant_rows('events');
create index events_name on events (workspace_id, name, id);
create index events_contact on events (workspace_id, contact_id) where contact_id is not null;
create index events_order on events (workspace_id, written_in, id);

-- Notifies every process, once the change commits, that what it has read of a workspace's events may hold personal data that is
-- no longer there. Events change in no other way.
create function announce_stripped_event() returns trigger
  language plpgsql
  as $$
begin
  perform pg_notify('parley_strips', new.workspace_id::text);
  return null;
end
$$;
create trigger announce after update of data on events
  for each row execute function announce_stripped_event();

alter table deliveries rename to deliveries_whole;
alter table deliveries_whole rename constraint deliveries_pkey to deliveries_whole_pkey;
drop index deliveries_due, deliveries_endpoint, deliveries_again, deliveries_age;

create table deliveries (like deliveries_whole including defaults including constraints, primary key (workspace_id, id))
  partition by range (id);
select tenant_rows('deliveries');
-- Grouped by endpoint, so that a claim goes from endpoint to endpoint and no backlog hides another's rows.
-- A claim touches no indexed column: it only sets leased_until.
create index deliveries_due on deliveries (workspace_id, endpoint_id, run_at, id) where run_at is not null;
create index deliveries_offset on deliveries (workspace_id, run_offset_ms) where run_offset_ms is not null and run_at is not null;
create index deliveries_endpoint on deliveries (workspace_id, endpoint_id, id);
-- An event's attempts besides the first at each endpoint, whose id begins like the event's and so needs no index of its own.
create index deliveries_again on deliveries (workspace_id, event_id, endpoint_id)
  where attempt > 1 or manual or replayed;
-- What went wrong, among all that did not.
create index deliveries_failed on deliveries (workspace_id, endpoint_id, id) where status = 'failed';

-- What comes while its day was not made: a fact is never refused for that.
create table events_other partition of events default;
create table deliveries_other partition of deliveries default with (fillfactor = 30);

select make_log_day(log, day::date)
from unnest(array['events', 'deliveries']) as log,
  generate_series((now() at time zone 'UTC')::date - 8, (now() at time zone 'UTC')::date + 3, interval '1 day') as day
where day >= (now() at time zone 'UTC')::date
  or exists (select from events_whole) or exists (select from deliveries_whole);

insert into events (id, name, data, created_at, contact_id, workspace_id)
select id, name, data, created_at, contact_id, workspace_id from events_whole;
insert into deliveries select * from deliveries_whole;
drop table events_whole, deliveries_whole;
