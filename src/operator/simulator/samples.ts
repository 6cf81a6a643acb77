/** What every account has without anybody making it. Its id is the account's with a digit before it. */
import type { SimulatedObject } from './store.ts'

export const sampleFlowId = (accountId: string): string => `8${accountId}`

/** The sample with this id, of whatever account its id names; undefined when it names none. */
export function findSample(id: string): SimulatedObject | undefined {
  const accountId = id.slice(1)
  if (id === sampleFlowId(accountId))
    return { kind: 'flow', id, accountId, value: {}, bytes: null, expiresAt: null }
  return undefined
}
