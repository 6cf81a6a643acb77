import { routes } from '../../../core/endpoint.ts'
import { deleteQuickReply, getQuickReplies, patchQuickReply, postQuickReply } from './endpoints.ts'

export const quickReplies = {
  endpoints: routes({
    'GET /quick-replies': getQuickReplies,
    'POST /quick-replies': postQuickReply,
    'PATCH /quick-replies/:id': patchQuickReply,
    'DELETE /quick-replies/:id': deleteQuickReply,
  }),
}
