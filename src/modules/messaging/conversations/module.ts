import { routes } from '../../../core/endpoint.ts'
import { postContactBlock, postContactUnblock } from './endpoints/block.ts'
import {
  deleteConversationSnooze,
  getConversationChanges,
  getConversationCounts,
  getConversationNotes,
  getOneConversation,
  patchConversation,
  postConversation,
  postConversationNote,
  postConversationSnooze,
  postConversationUnread,
  postTakeNext,
} from './endpoints/conversations.ts'
import { postPresence } from './endpoints/presence.ts'
import { conversationClosed, conversationOpened } from './events.ts'
import { endSnooze } from './jobs.ts'
import { windowsSource } from './work/windows-source.ts'

export const conversations = {
  endpoints: routes({
    'GET /conversations/counts': getConversationCounts,
    'GET /conversations/:id': getOneConversation,
    'PATCH /conversations/:id': patchConversation,
    'GET /conversations/:id/notes': getConversationNotes,
    'GET /conversations/:id/changes': getConversationChanges,
    'POST /conversations/:id/notes': postConversationNote,
    'POST /conversations': postConversation,
    'POST /conversations/take-next': postTakeNext,
    'POST /conversations/:id/unread': postConversationUnread,
    'POST /conversations/:id/snooze': postConversationSnooze,
    'DELETE /conversations/:id/snooze': deleteConversationSnooze,
    'POST /contacts/:id/block': postContactBlock,
    'POST /contacts/:id/unblock': postContactUnblock,
  }),
  dashboard: routes({
    'POST /presence': postPresence,
  }),
  events: [conversationOpened, conversationClosed],
  jobs: [endSnooze],
  sources: {
    windows: windowsSource,
  },
}
