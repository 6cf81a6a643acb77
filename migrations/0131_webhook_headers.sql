-- Headers of their own that deliveries to an endpoint have: sealed JSON, a list of {name, value}. Null: none.
alter table webhook_endpoints add column headers_sealed bytea;
