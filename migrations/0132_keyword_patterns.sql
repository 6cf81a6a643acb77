-- Regular expressions of a keyword reply; its keywords are then empty, so that an earlier version finds nothing in it.
alter table auto_replies add column patterns text[];
-- The time in which it answers, in the workspace's time. Null: without a beginning or an end.
alter table auto_replies add column valid_from timestamptz;
alter table auto_replies add column valid_until timestamptz;
