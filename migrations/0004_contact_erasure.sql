-- What the event log loses when a contact is erased. Its chats, messages and notes go by the triggers
-- of their own tables (`erase_dependents`).

create function strip_events() returns trigger
  language plpgsql
  as $$
begin
  update events set data = ids_only(events.data) from erased
  where events.workspace_id = erased.workspace_id and events.contact_id = erased.id;
  return null;
end
$$;
create trigger strip_events after delete on contacts referencing old table as erased
  for each statement execute function strip_events();
