import { queryOptions } from '@tanstack/react-query'
import { queryClient } from '../api/cache.ts'
import { call } from '../api/request.ts'
import { setWorkspaceNow } from '../kit/time.tsx'

const SHOWN = 50

/** What was said between the business and a customer, newest first. */
export const phoneQuery = (phone: string) =>
  queryOptions({
    queryKey: ['message', 'list', 'phone', phone],
    queryFn: async () => (await call('GET /messages', { query: { phone, limit: SHOWN } })).messages,
  })

/** The time of the sandbox; what shows times on these pages goes by it. */
export const clockQuery = queryOptions({
  queryKey: ['clock', 'one', 'sandbox'],
  queryFn: async () => {
    const { now } = await call('GET /sandbox/clock')
    setWorkspaceNow(now)
    return now
  },
})

/** Moves the clock; what fell due on the way has happened when this resolves. */
export async function advanceClock(seconds: number): Promise<void> {
  const { now } = await call('POST /sandbox/clock', { body: { advanceSeconds: seconds } })
  setWorkspaceNow(now)
  queryClient.setQueryData(clockQuery.queryKey, now)
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [kind] }) => kind !== 'session' && kind !== 'clock',
  })
}
