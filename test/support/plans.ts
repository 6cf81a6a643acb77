/** What PostgreSQL does for a statement of ours as it is planned in service: for any values, not for those given. */
import type { Context, Tx } from '../../src/core/context.ts'

let plans = 0

/** The plan of the statements that `read` asks of its transaction. Nothing is run but settings: what it reads is empty. */
export async function planOf(
  tx: Tx,
  workspaceId: string,
  read: (ctx: Context) => Promise<unknown>,
): Promise<string> {
  const lines: unknown[] = []
  const explain = async (text: string, parameters?: unknown[]): Promise<never[]> => {
    if (text.startsWith('set local ')) return tx.sql(text)
    // Explained as it stands, with its values, it would be planned for these.
    const name = `plan_${++plans}`
    const nothing = parameters?.length ? `(${parameters.map(() => 'null').join(', ')})` : ''
    // In one round trip, so that settings of the statement stand while it is planned.
    const [, plan] = await Promise.all([
      tx.sql(`prepare ${name} as ${text}`),
      tx.sql<object>(`explain (costs off) execute ${name}${nothing}`),
      tx.sql(`deallocate ${name}`),
    ])
    lines.push(...plan.flatMap((row) => Object.values(row)))
    return []
  }
  const asking: Pick<Tx, 'all' | 'sql'> = {
    sql: explain,
    all: (statement) => {
      const { sql, parameters } = statement.compile()
      return explain(sql, [...parameters])
    },
  }
  await read({ workspace: { id: workspaceId }, tx: asking } as unknown as Context)
  return lines.join('\n')
}
