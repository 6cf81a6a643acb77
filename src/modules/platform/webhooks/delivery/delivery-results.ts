/**
 * Writes the results of attempts in batches: the attempt, the next one after a failure, the endpoint's
 * health, and the notices of disabled endpoints. next-attempt.ts and endpoint-health.ts decide;
 * settle-attempts.ts and health-queries.ts write.
 */
import type { Database, Tx } from '../../../../core/context.ts'
import { type BatchWriter, batchWriter } from '../../../../dispatch/batch-writer.ts'
import { inEachPartition } from '../event-log/log-partitions.ts'
import type { Result } from './attempt.ts'
import { healthAfter } from './endpoint-health.ts'
import { nextRunOf } from './next-attempt.ts'
import { type HealthChange, lockUrls, updateHealth } from './queries/endpoint-health.ts'
import { type Judged, settleAttempts, type TouchedEndpoint } from './queries/settle-attempts.ts'

async function judged(tx: Tx, results: readonly Result[]): Promise<Judged[]> {
  // Rare: most batches need no read of their endpoints.
  const goneDeliveries = results.filter(({ outcome }) => outcome.gone).map(({ delivery }) => delivery)
  const urls = goneDeliveries.length > 0 ? await lockUrls(tx, goneDeliveries) : undefined
  return results.map((result) => ({
    ...result,
    nextRun: nextRunOf(result, urls?.get(result.delivery.endpointId)),
  }))
}

/** Returns the health changes; none for an endpoint that was and stays healthy. */
function healthChanges(endpoint: TouchedEndpoint, now: Date): HealthChange[] {
  const { workspaceId, id } = endpoint
  const after = healthAfter(endpoint, endpoint, now)
  if (endpoint.failures === 0 && after.failures === 0) return []
  return [{ workspaceId, id, ...after, offAt: after.offReason === null ? null : endpoint.last }]
}

/** Writes a batch of results, in one transaction for each of their partitions. */
async function writeResults(database: Pick<Database, 'system'>, results: Result[]): Promise<void> {
  const now = results.at(-1)!.endedAt
  await inEachPartition(
    results,
    (result) => result.delivery.partition,
    (partition, resultsOfPartition) =>
      database.system(async (tx) => {
        const touchedEndpoints = await settleAttempts(tx, partition, await judged(tx, resultsOfPartition))
        const changes = touchedEndpoints.flatMap((endpoint) => healthChanges(endpoint, now))
        if (changes.length > 0) await updateHealth(tx, changes, now)
      }),
  )
}

/** Under load, results wait this long for others to join their batch. */
const GATHER_MS = 6

/** Returns the result without data from the receiver. */
const withoutRefused = ({ outcome, ...rest }: Result): Result => ({
  ...rest,
  outcome: {
    ...outcome,
    error: outcome.error && "It failed, and the receiver's answer couldn't be stored.",
    response: null,
  },
})

/**
 * Builds the writer. `stopping` returns whether to give up, rather than retry, when the database cannot be
 * reached: leases are renewed during retries; without renewal, the event is sent again.
 */
export const resultWriter = (
  database: Pick<Database, 'system'>,
  state: { underWay(): number; stopping(): boolean; onError(error: unknown): void },
): BatchWriter<Result> =>
  batchWriter({
    ...state,
    write: (results) => writeResults(database, results),
    withoutRefused,
    gatherMs: GATHER_MS,
  })
