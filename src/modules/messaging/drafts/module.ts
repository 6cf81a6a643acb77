import { routes } from '../../../core/endpoint.ts'
import { getDraft, getDrafts, putDraft } from './endpoints.ts'

export const drafts = {
  dashboard: routes({
    'GET /drafts': getDrafts,
    'GET /drafts/:id': getDraft,
    'PUT /drafts/:id': putDraft,
  }),
}
