import { wasRolledBack } from '../../database/faults.ts'

const MAX_TRIES = 3

/**
 * Runs `work` again if a concurrent transaction caused its rollback. The second run sees the committed
 * result: a duplicate gets the stored answer, a used-up limit is an error, and a deadlock is gone.
 */
export const retryRolledBack = async <T>(work: () => Promise<T>, triesLeft = MAX_TRIES): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (triesLeft > 0 && wasRolledBack(error)) return retryRolledBack(work, triesLeft - 1)
    throw error
  }
}
