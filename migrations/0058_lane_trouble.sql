-- The end of the lane's latest pause: it stays when the lane goes on, so that a message shows whether it waited for the
-- operator, or for Parley's own pace.
alter table number_lanes add column trouble_until timestamptz;
