import { routes } from '../../../core/endpoint.ts'
import {
  deleteAutoReply,
  getAutoReplies,
  getOneAutoReply,
  patchAutoReply,
  postAutoReply,
  postAutoReplyTest,
} from './endpoints.ts'

export const autoReplies = {
  endpoints: routes({
    'GET /auto-replies': getAutoReplies,
    'POST /auto-replies': postAutoReply,
    'POST /auto-replies/test': postAutoReplyTest,
    'GET /auto-replies/:id': getOneAutoReply,
    'PATCH /auto-replies/:id': patchAutoReply,
    'DELETE /auto-replies/:id': deleteAutoReply,
  }),
}
