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
import {
  deleteTeam,
  getOneTeam,
  getTeamAvailability,
  getTeams,
  patchTeam,
  postTeam,
  postTeamAvailability,
} from './endpoints/teams.ts'
import { conversationClosed, conversationOpened } from './events.ts'
import { clearTeam, endSnooze, shareChats } from './jobs.ts'
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
    'GET /teams': getTeams,
    'POST /teams': postTeam,
    'GET /teams/:id': getOneTeam,
    'PATCH /teams/:id': patchTeam,
    'DELETE /teams/:id': deleteTeam,
    'GET /teams/availability': getTeamAvailability,
    'POST /teams/availability': postTeamAvailability,
    'POST /contacts/:id/block': postContactBlock,
    'POST /contacts/:id/unblock': postContactUnblock,
  }),
  dashboard: routes({
    'POST /presence': postPresence,
  }),
  events: [conversationOpened, conversationClosed],
  jobs: [endSnooze, shareChats, clearTeam],
  sources: {
    windows: windowsSource,
  },
}
