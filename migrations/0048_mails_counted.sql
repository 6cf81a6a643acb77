-- Counts one more for a subject at an address in a window that begins with its first and ends when it is `window_start` no more;
-- false, and nothing counted, where there were `most` already. A workspace that mails somebody counts too, and its role has no
-- rights on the table: so this runs as its owner.
create function count_in_window(
    counted bytea, sender text, at timestamptz, window_start timestamptz, most integer)
  returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, public
  as $$
begin
  insert into sign_in_failures as f (subject, address, failures, first_at, last_at) values (counted, sender, 1, at, at)
  on conflict (subject, address) do update set
    failures = case when f.first_at <= window_start then 1 else f.failures + 1 end,
    first_at = case when f.first_at <= window_start then at else f.first_at end,
    last_at = at
  where f.first_at <= window_start or f.failures < most;
  return found;
end
$$;
