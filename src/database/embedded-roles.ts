import { DatabaseClient } from './client.ts'

/**
 * The service's role and database. It is not a superuser, because row-level security does not apply to
 * superusers.
 */
export const embeddedRole = 'parley'

/**
 * Returns the address of a user's own database on a socket folder. The host name is a placeholder: the `host`
 * parameter counts.
 */
export function socketUrl(user: string, password: string, socketDir: string): string {
  // Port and sslmode are explicit so that PGPORT and PGSSLMODE in the environment have no effect.
  return `postgres://${user}:${password}@localhost/${user}?host=${encodeURI(socketDir)}&port=5432&sslmode=disable`
}

/** Creates the service's role and its database if they are missing. */
export async function ensureRoleAndDatabase(superuserUrl: string, password: string): Promise<void> {
  const client = new DatabaseClient({ connectionString: superuserUrl })
  await client.connect()
  try {
    const role = await client.query('select 1 from pg_roles where rolname = $1', [embeddedRole])
    if (role.rowCount === 0)
      await client.query(
        `create role ${embeddedRole} login createrole password ${client.escapeLiteral(password)}`,
      )
    // A workspace that arrives from another cell is loaded without the triggers (docs/decisions/workspace-moves.md).
    await client.query(`grant set on parameter session_replication_role to ${embeddedRole}`)
    const database = await client.query('select 1 from pg_database where datname = $1', [embeddedRole])
    if (database.rowCount === 0) await client.query(`create database ${embeddedRole} owner ${embeddedRole}`)
  } finally {
    await client.end()
  }
}
