-- The language in which a customer reads our texts, as a BCP 47 tag such as es-MX; null for the language of the workspace.
alter table contacts add column language text;
