import { routes } from '../../../core/endpoint.ts'
import { getBusinessHours, putBusinessHours } from './endpoints.ts'

export const businessHours = {
  endpoints: routes({
    'GET /business-hours': getBusinessHours,
    'PUT /business-hours': putBusinessHours,
  }),
}
