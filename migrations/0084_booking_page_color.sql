-- The color of the page on which customers book, such as #1d4ed8; null for the standard color. A column of its own, because
-- version 1.0.0 rejects unknown settings.
alter table booking_settings add column page_color text;
