-- The numbers of an account at the operator, in all workspaces.
create index concurrently phone_numbers_account on phone_numbers (account_id) where operator = 'cloud';
