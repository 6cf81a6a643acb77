-- Accounts at the identity provider of the installation. A person is recognized by the provider's identifier, because an email
-- address can change or get another owner.
create table account_identities (
  issuer     text not null,
  subject    text not null,
  account_id uuid not null references accounts on delete cascade,
  created_at timestamptz not null,
  primary key (issuer, subject)
);
create index account_identities_of_account on account_identities (account_id);

-- bears: the values of the old version stay allowed; migration 0100 validates the rows.
alter table sign_in_tokens drop constraint sign_in_tokens_purpose_check, add constraint sign_in_tokens_purpose_check check (purpose in ('link', 'reset', 'totp', 'passkey', 'email', 'sso')) not valid;
-- bears: the values of the old version stay allowed; migration 0100 validates the rows.
alter table sessions drop constraint sessions_method_check, add constraint sessions_method_check check (method in ('link', 'password', 'totp', 'recovery', 'passkey', 'invitation', 'reset', 'sso')) not valid;
