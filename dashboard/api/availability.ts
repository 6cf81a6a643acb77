/** Reads and switches whether the member gets chats of their teams in turn. */
import { queryOptions } from '@tanstack/react-query'
import { call } from './request.ts'

export const availabilityQuery = queryOptions({
  queryKey: ['team', 'availability'],
  queryFn: async () => (await call('GET /teams/availability')).available,
})

export const setAvailability = (available: boolean) =>
  call('POST /teams/availability', { body: { available } })
