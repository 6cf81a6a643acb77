-- Imports that wait for a person keep their file for 6 days: for a week, Parley remembers erased customers.
create index concurrently history_imports_waiting on history_imports (created_at)
  where state in ('reading', 'checked', 'failed');
