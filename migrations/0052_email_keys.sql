-- What makes two e-mail addresses one: used to find an account, to keep addresses apart, and to count failures and mails. It is
-- computed here alone, because programs and databases lower-case some letters differently (U+0130), and a count under another
-- key than that of the account that is found is no limit.
create function email_key(address text) returns text
  language sql immutable strict parallel safe
  set search_path = pg_catalog
  as $$ select rtrim(normalize(lower(normalize(address, NFKC)), NFKC), '.') $$;

create index accounts_by_email_key on accounts (email_key(email)) where email is not null;
