-- The reviews of a span, for the list and for the average by week or month.
create index concurrently reviews_answered on reviews (workspace_id, answered_at);
