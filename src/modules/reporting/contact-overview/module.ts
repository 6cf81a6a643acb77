import { routes } from '../../../core/endpoint.ts'
import { getContactOverview } from './endpoints.ts'

export const contactOverview = {
  endpoints: routes({
    'GET /contacts/:id/overview': getContactOverview,
  }),
}
