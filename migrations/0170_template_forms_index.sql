-- How often each template with a form in a button was sent, read by time.
create index concurrently messages_template_forms on messages (workspace_id, phone_number_id, (content ->> 'name'), (content -> 'language' ->> 'code'), created_at)
  where type = 'template' and content::text ~ '"sub_type": ?"(flow|FLOW)"';
