import { routes } from '../../../core/endpoint.ts'
import { postContactBlock, postContactUnblock } from './endpoints/block.ts'
import {
  getConversationCounts,
  getConversationNotes,
  getOneConversation,
  patchConversation,
  postConversation,
  postConversationNote,
  postConversationUnread,
} from './endpoints/conversations.ts'
import { postPresence } from './endpoints/presence.ts'
import { conversationClosed, conversationOpened } from './events.ts'
import { windowsSource } from './work/windows-source.ts'

export const conversations = {
  endpoints: routes({
    'GET /conversations/counts': getConversationCounts,
    'GET /conversations/:id': getOneConversation,
    'PATCH /conversations/:id': patchConversation,
    'GET /conversations/:id/notes': getConversationNotes,
    'POST /conversations/:id/notes': postConversationNote,
    'POST /conversations': postConversation,
    'POST /conversations/:id/unread': postConversationUnread,
    'POST /contacts/:id/block': postContactBlock,
    'POST /contacts/:id/unblock': postContactUnblock,
  }),
  dashboard: routes({
    'POST /presence': postPresence,
  }),
  events: [conversationOpened, conversationClosed],
  sources: {
    windows: windowsSource,
  },
}
