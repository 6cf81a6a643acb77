import type { Ledger } from '../report.ts'
import type { BenchDatabase } from './arena.ts'

/** Every pending row of a workspace became one attempt row, and every attempt one request at the sink. */
export async function deliveryLedgers(
  database: BenchDatabase,
  workspaceId: string,
  deliveryCount: number,
  received: number,
): Promise<Ledger[]> {
  const [row] = await database.sql<Record<string, string>>(
    `select count(*) filter (where status = 'succeeded') as succeeded, count(*) filter (where status = 'failed') as failed,
            count(*) filter (where status = 'pending') as pending
     from deliveries where workspace_id = $1`,
    [workspaceId],
  )
  const [succeeded, failed, pending] = [Number(row!.succeeded), Number(row!.failed), Number(row!.pending)]
  return [
    { what: 'deliveries', whole: deliveryCount, parts: { succeeded, failed, pending } },
    { what: 'received by the sink', whole: received, parts: { succeeded } },
  ]
}
