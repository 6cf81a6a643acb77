-- Whether who signs in by an account's e-mail has shown that it is theirs. An invitation is shown to who makes it, and whoever has
-- it makes an account of that e-mail: the first who opens a mail to it is its person.
alter table accounts add column email_proven boolean not null default true;
