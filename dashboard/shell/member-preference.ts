/**
 * Stores a preference of the member on the server, so that it is the same on every device. This browser keeps a
 * copy, to draw the page before the server answers.
 */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { queryClient } from '../api/cache.ts'
import { callDashboard } from '../api/request.ts'
import { readStored, writeStored } from '../api/storage.ts'
import { notifyError } from './notify-error.ts'

/** Defines the preference `name`, which has the value `usual` until the member changes it. */
export function memberPreference<Value extends object>(name: string, usual: Value) {
  /** The number of changes in this page. */
  let changes = 0
  /** The value to write next, by workspace; a later one replaces it while an earlier one is being written. */
  const waiting = new Map<string, Value>()
  const writing = new Set<string>()

  const storedName = (workspace: string): string => `${name}.${workspace}`
  const storedValue = (workspace: string): Value => ({
    ...usual,
    ...readStored<Partial<Value>>(storedName(workspace)),
  })
  const keyOf = (workspace: string) => ['preferences', 'one', name, workspace]
  const currentValue = (workspace: string): Value =>
    queryClient.getQueryData<Value>(keyOf(workspace)) ?? storedValue(workspace)

  const query = (workspace: string) =>
    queryOptions({
      queryKey: keyOf(workspace),
      queryFn: async (): Promise<Value> => {
        const before = changes
        const { preferences } = await callDashboard('GET /preferences', { workspace })
        // The answer is older than a change that was made while it was read.
        if (changes !== before) return currentValue(workspace)
        const value = { ...usual, ...(preferences[name] as Partial<Value> | undefined) }
        writeStored(storedName(workspace), value)
        return value
      },
      initialData: () => storedValue(workspace),
      initialDataUpdatedAt: 0,
    })

  async function writeWaiting(workspace: string): Promise<void> {
    if (writing.has(workspace)) return
    writing.add(workspace)
    try {
      for (let value = waiting.get(workspace); value; value = waiting.get(workspace)) {
        waiting.delete(workspace)
        await callDashboard('PATCH /preferences', { workspace, body: { [name]: value } })
      }
    } catch (error) {
      notifyError(error)
    } finally {
      writing.delete(workspace)
    }
  }

  return {
    useValue: (workspace: string): Value => useQuery(query(workspace)).data ?? storedValue(workspace),
    /** Changes the value immediately, and on the server. */
    change: (workspace: string, change: (before: Value) => Partial<Value>): void => {
      const before = currentValue(workspace)
      const value = { ...before, ...change(before) }
      changes++
      queryClient.setQueryData(keyOf(workspace), value)
      writeStored(storedName(workspace), value)
      waiting.set(workspace, value)
      void writeWaiting(workspace)
    },
  }
}
