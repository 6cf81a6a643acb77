/**
 * The plans that PostgreSQL makes for our statements in production: for any values, not for particular ones.
 */
import type { Context, Tx } from '../../src/core/context.ts'

let plans = 0

/**
 * Returns the plan of the statements that `read` sends in its transaction. Only settings are executed, so
 * `read` gets empty results.
 */
export async function planOf(
  tx: Tx,
  workspaceId: string,
  read: (ctx: Context) => Promise<unknown>,
): Promise<string> {
  const lines: unknown[] = []
  const explain = async (text: string, parameters?: unknown[]): Promise<never[]> => {
    if (text.startsWith('set local ')) return tx.sql(text)
    // An explain with parameter values would plan for these values.
    const name = `plan_${++plans}`
    const parameterList = parameters?.length ? `(${parameters.map(() => 'null').join(', ')})` : ''
    // Sent in one round trip, so that the settings of the statement apply while it is planned.
    const [, plan] = await Promise.all([
      tx.sql(`prepare ${name} as ${text}`),
      tx.sql<object>(`explain (costs off) execute ${name}${parameterList}`),
      tx.sql(`deallocate ${name}`),
    ])
    lines.push(...plan.flatMap((row) => Object.values(row)))
    return []
  }
  const explaining: Pick<Tx, 'all' | 'sql'> = {
    sql: explain,
    all: (statement) => {
      const { sql, parameters } = statement.compile()
      return explain(sql, [...parameters])
    },
  }
  await read({ workspace: { id: workspaceId }, tx: explaining } as unknown as Context)
  return lines.join('\n')
}
