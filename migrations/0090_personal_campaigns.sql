-- Campaigns whose values come from fields of each recipient: the content with a mark in place of each value, and the values with
-- their fields, fallbacks, and limits. Null: all recipients get the same content.
alter table broadcasts add column personal jsonb;
