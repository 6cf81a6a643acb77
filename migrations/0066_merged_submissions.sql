-- What arrived at the capture link follows its contact and its lead when they are merged (docs/decisions/merging-contacts.md).
create trigger merge_capture_submissions after insert on merged_contacts referencing new table as merged
  for each statement execute function merge_dependents('capture_submissions', 'contact_id');
create trigger merge_capture_submissions after insert on merged_leads referencing new table as merged
  for each statement execute function merge_dependents('capture_submissions', 'lead_id', 'contact_id');
