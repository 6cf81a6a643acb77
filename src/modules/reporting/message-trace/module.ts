import { routes } from '../../../core/endpoint.ts'
import { getMessageTrace } from './endpoints.ts'

export const messageTrace = {
  endpoints: routes({
    'GET /messages/:id/trace': getMessageTrace,
  }),
}
