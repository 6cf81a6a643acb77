-- The sample file of a template's header has the template's id in `media`, and is deleted with the template.
-- bears: the old version keeps no samples, and deletes the row of one with its template, as it should
create trigger erase_samples after delete on templates referencing old table as erased
  for each statement execute function erase_dependents('media', 'id');
