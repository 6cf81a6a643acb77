import { routes } from '../../../core/endpoint.ts'
import {
  deleteBroadcast,
  getBroadcastRecipients,
  getBroadcasts,
  getOneBroadcast,
  postBroadcast,
  postBroadcastPause,
  postBroadcastResume,
  postBroadcastStart,
} from './endpoints/broadcasts.ts'
import { getContacts } from './endpoints/contact-list.ts'
import { postBroadcastPreview } from './endpoints/preview.ts'
import { deleteSegment, getOneSegment, getSegments, patchSegment, postSegment } from './endpoints/segments.ts'
import { broadcastCompleted } from './events.ts'
import { fanOutSource } from './work/fan-out-source.ts'
import { talliesSource } from './work/tallies-source.ts'

export const broadcasts = {
  endpoints: routes({
    'GET /contacts': getContacts,
    'POST /broadcasts': postBroadcast,
    'GET /broadcasts': getBroadcasts,
    'GET /broadcasts/:id': getOneBroadcast,
    'DELETE /broadcasts/:id': deleteBroadcast,
    'POST /broadcasts/:id/start': postBroadcastStart,
    'POST /broadcasts/:id/pause': postBroadcastPause,
    'POST /broadcasts/:id/resume': postBroadcastResume,
    'GET /broadcasts/:id/recipients': getBroadcastRecipients,
    'POST /broadcasts/preview': postBroadcastPreview,
    'GET /segments': getSegments,
    'POST /segments': postSegment,
    'GET /segments/:id': getOneSegment,
    'PATCH /segments/:id': patchSegment,
    'DELETE /segments/:id': deleteSegment,
  }),
  events: [broadcastCompleted],
  sources: {
    broadcasts: fanOutSource,
    tallies: talliesSource,
  },
}
