import { routes } from '../../../core/endpoint.ts'
import {
  deleteBroadcast,
  getBroadcastRecipients,
  getBroadcasts,
  getOneBroadcast,
  patchBroadcast,
  postBroadcast,
  postBroadcastChoose,
  postBroadcastPause,
  postBroadcastResume,
  postBroadcastStart,
} from './endpoints/broadcasts.ts'
import { getContacts } from './endpoints/contact-list.ts'
import {
  deleteSegment,
  getOneSegment,
  getSegments,
  patchSegment,
  postSegment,
  postSegmentCount,
} from './endpoints/segments.ts'
import { broadcastCompleted, broadcastVariantChosen } from './events.ts'
import { fanOutSource } from './work/fan-out-source.ts'
import { talliesSource } from './work/tallies-source.ts'

export const broadcasts = {
  endpoints: routes({
    'GET /contacts': getContacts,
    'POST /broadcasts': postBroadcast,
    'GET /broadcasts': getBroadcasts,
    'GET /broadcasts/:id': getOneBroadcast,
    'PATCH /broadcasts/:id': patchBroadcast,
    'DELETE /broadcasts/:id': deleteBroadcast,
    'POST /broadcasts/:id/start': postBroadcastStart,
    'POST /broadcasts/:id/pause': postBroadcastPause,
    'POST /broadcasts/:id/resume': postBroadcastResume,
    'POST /broadcasts/:id/choose': postBroadcastChoose,
    'GET /broadcasts/:id/recipients': getBroadcastRecipients,
    'GET /segments': getSegments,
    'POST /segments': postSegment,
    'POST /segments/count': postSegmentCount,
    'GET /segments/:id': getOneSegment,
    'PATCH /segments/:id': patchSegment,
    'DELETE /segments/:id': deleteSegment,
  }),
  events: [broadcastCompleted, broadcastVariantChosen],
  sources: {
    broadcasts: fanOutSource,
    tallies: talliesSource,
  },
}
