-- Finds the members who join with the first single sign-on of their email address.
create index concurrently members_without_account on members (email_key(email)) where account_id is null and left_at is null;
