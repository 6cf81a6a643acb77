import { routes } from '../../../core/endpoint.ts'
import {
  deleteAutoReply,
  getAutoReplies,
  getAutoReplyCounts,
  getOneAutoReply,
  patchAutoReply,
  postAutoReply,
  postAutoReplyTest,
} from './endpoints.ts'

export const autoReplies = {
  endpoints: routes({
    'GET /auto-replies': getAutoReplies,
    'POST /auto-replies': postAutoReply,
    'GET /auto-replies/counts': getAutoReplyCounts,
    'POST /auto-replies/test': postAutoReplyTest,
    'GET /auto-replies/:id': getOneAutoReply,
    'PATCH /auto-replies/:id': patchAutoReply,
    'DELETE /auto-replies/:id': deleteAutoReply,
  }),
}
