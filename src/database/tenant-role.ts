import type pg from 'pg'

/**
 * Throws if the user of a connection may not act as the role that row-level security restricts, which every
 * request does.
 */
export async function requireTenantRole(client: pg.ClientBase): Promise<void> {
  try {
    await client.query('begin; set local role parley_tenant')
  } catch (error) {
    await client.query('rollback')
    const { rows } = await client.query<{ user: string }>('select quote_ident(current_user) as user')
    throw new Error(
      `The database user ${rows[0]?.user} can't use the role parley_tenant, which every request needs: ${(error as Error).message}. ` +
        `As a superuser, run: grant parley_tenant to ${rows[0]?.user}`,
    )
  }
  await client.query('rollback')
}
