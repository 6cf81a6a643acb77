import { routes } from '../../../core/endpoint.ts'
import { getFlows, postFlowSend } from './endpoints.ts'

export const flows = {
  endpoints: routes({
    'GET /flows': getFlows,
    'POST /flows/:id/send': postFlowSend,
  }),
}
