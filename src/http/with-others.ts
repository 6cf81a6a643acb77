import { wasRolledBack } from '../database/faults.ts'

const MAX_TRIES = 3

/**
 * Runs `work` again when it was rolled back for another's sake: a duplicate that committed first
 * is then answered by what it left, what another used up is refused, and a transaction that deadlocked finds the others gone.
 */
export const withOthers = async <T>(work: () => Promise<T>, triesLeft = MAX_TRIES): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (triesLeft > 0 && wasRolledBack(error)) return withOthers(work, triesLeft - 1)
    throw error
  }
}
