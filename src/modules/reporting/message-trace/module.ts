import { routes } from '../../../core/endpoint.ts'
import { getMessageTrace, postSendPreview } from './endpoints.ts'

export const messageTrace = {
  endpoints: routes({
    'GET /messages/:id/trace': getMessageTrace,
    'POST /send/preview': postSendPreview,
  }),
}
