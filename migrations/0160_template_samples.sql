-- The sample file of a template's header has the template's id in `media`, and is deleted with the template.
create trigger erase_samples after delete on templates referencing old table as erased
  for each statement execute function erase_dependents('media', 'id');
