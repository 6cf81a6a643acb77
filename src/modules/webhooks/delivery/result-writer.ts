/** Writes the results of deliveries in batches. */
import type { Database } from '../../../core/context.ts'
import { type BatchWriter, batchWriter } from '../../../dispatch/batch-writer.ts'
import type { Result } from './attempt.ts'
import { writeResults } from './delivery-results.ts'

/** Under load results wait this long for company. */
const GATHER_MS = 6

/** The result without what came from outside. */
const withoutRefused = ({ outcome, ...rest }: Result): Result => ({
  ...rest,
  outcome: {
    ...outcome,
    error: outcome.error && "It failed, and the receiver's answer couldn't be stored.",
    response: null,
  },
})

/**
 * `stopping` says whether to give up, rather than try again, when the database cannot be reached: the leases are renewed
 * meanwhile, and when they are not, the event goes out again.
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
