/** What PostgreSQL does for a statement of ours as it is planned in service: for any values, not for those given. */
import type { Context, Tx } from '../../src/core/context.ts'

/** The plan of the statement that `read` asks of its transaction. Nothing is run: what it reads is empty. */
export async function planOf(
  tx: Tx,
  workspaceId: string,
  read: (ctx: Context) => Promise<unknown>,
): Promise<string> {
  const lines: unknown[] = []
  const explain = async (text: string, parameters?: unknown[]): Promise<never[]> => {
    const plan = await tx.sql<object>(`explain (generic_plan, costs off) ${text}`, parameters)
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
