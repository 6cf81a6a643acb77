-- The checks that migration 0083 replaced.
alter table sign_in_tokens validate constraint sign_in_tokens_purpose_check;
alter table sessions validate constraint sessions_method_check;
