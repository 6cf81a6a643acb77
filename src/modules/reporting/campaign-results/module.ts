import { routes } from '../../../core/endpoint.ts'
import { getBroadcastResults } from './endpoints.ts'

export const campaignResults = {
  endpoints: routes({
    'GET /broadcasts/:id/results': getBroadcastResults,
  }),
}
