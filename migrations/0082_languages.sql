-- The language of the pages for an account; null for the language of the workspace, in which also its customers read texts.
alter table accounts add column language text;
alter table workspaces add column language text not null default 'en';
