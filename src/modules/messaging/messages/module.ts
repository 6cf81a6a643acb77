import { routes } from '../../../core/endpoint.ts'
import { callMissed, flowCompleted, messageFailed, messageReceived, messageStatus } from './events.ts'
import { carryMerged } from './jobs.ts'
import {
  getConversations,
  getMessageById,
  getMessageMedia,
  getMessages,
  postConversationRead,
} from './reading/endpoints.ts'
import { postSend } from './sending/endpoints.ts'
import { handoverSource } from './work/handover-source.ts'
import { intakeRetentionSource } from './work/intake-retention-source.ts'
import { messageRetentionSource } from './work/message-retention-source.ts'
import { pricedSource } from './work/priced-source.ts'
import { updatesSource } from './work/updates-source.ts'
import { wordsSource } from './work/words-source.ts'

export const messages = {
  endpoints: routes({
    'POST /send': postSend,
    'GET /messages': getMessages,
    'GET /messages/:id': getMessageById,
    'GET /messages/:id/media': getMessageMedia,
    'GET /conversations': getConversations,
    'POST /conversations/:id/read': postConversationRead,
  }),
  events: [messageReceived, messageStatus, messageFailed, flowCompleted, callMissed],
  jobs: [carryMerged],
  sources: {
    handover: handoverSource,
    updates: updatesSource,
    'intake-retention': intakeRetentionSource,
    'message-retention': messageRetentionSource,
    'message-words': wordsSource,
    priced: pricedSource,
  },
}
