/** The settings of the embedded server. All keep durability: an answered request is on disk. */
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
  // Otherwise a commit at the end of a WAL file waits until the next file is filled with zeros: 50 ms, once a
  // second under load.
  wal_init_zero: 'off',
  // One flush may take a third of a second, during which a campaign writes 20 MB: with the usual 8 MB all
  // commits would wait for it.
  wal_buffers: '32MB',
  max_wal_size: '2GB',
  min_wal_size: '256MB',
  checkpoint_timeout: '15min',
  checkpoint_completion_target: '0.9',

  shared_buffers: '256MB',
  work_mem: '8MB',
  maintenance_work_mem: '128MB',
  random_page_cost: '1.1',
  // Our statements are short; compiling them costs more than it saves.
  jit: 'off',
  // Queue tables change quickly, so they are vacuumed often and thoroughly.
  autovacuum_naptime: '15s',
  autovacuum_vacuum_cost_limit: '1000',

  // The log must not contain row data: details and statements include phone numbers and texts.
  log_min_messages: 'warning',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_line_prefix: '%m [%p] ',
}
