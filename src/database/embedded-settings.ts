/** How the embedded server runs. Nothing here gives up durability: an answered request is on disk. */
export const embeddedSettings: Record<string, string> = {
  listen_addresses: '',
  port: '5432',
  unix_socket_permissions: '0700',
  max_connections: '100',
  timezone: 'UTC',
  log_timezone: 'UTC',

  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  wal_compression: 'on',
  // Whoever commits as a file of the WAL is full would wait for the next one to be filled with zeros: 50 ms, once a second under load.
  wal_init_zero: 'off',
  // The disk may take a third of a second for one flush, in which a campaign writes 20 MB: with the 8 that are usual everybody waits for it.
  wal_buffers: '32MB',
  max_wal_size: '2GB',
  min_wal_size: '256MB',
  checkpoint_timeout: '15min',
  checkpoint_completion_target: '0.9',

  shared_buffers: '256MB',
  work_mem: '8MB',
  maintenance_work_mem: '128MB',
  random_page_cost: '1.1',
  // Statements here are short; compiling them costs more than it saves.
  jit: 'off',
  // Queue tables turn over quickly: clean them often and in earnest.
  autovacuum_naptime: '15s',
  autovacuum_vacuum_cost_limit: '1000',

  // The log must not carry what rows hold: phone numbers and texts stand in details and statements.
  log_min_messages: 'warning',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_line_prefix: '%m [%p] ',
}
