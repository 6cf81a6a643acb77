-- The message with the form that an answer replies to, and when it was sent; null for answers stored before.
alter table flow_answers add column form_message_id uuid, add column form_sent_at timestamptz;
