/** Writes the results of deliveries in batches. */
import type { Database } from '../../../../core/context.ts'
import { type BatchWriter, batchWriter } from '../../../../dispatch/batch-writer.ts'
import type { Result } from './attempt.ts'
import { writeResults } from './delivery-results.ts'

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
