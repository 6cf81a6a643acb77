import { routes } from '../../../core/endpoint.ts'
import { postBroadcastPreview } from './endpoints/preview.ts'
import { getBroadcastResults } from './endpoints/results.ts'

export const campaignResults = {
  endpoints: routes({
    'POST /broadcasts/preview': postBroadcastPreview,
    'GET /broadcasts/:id/results': getBroadcastResults,
  }),
}
