import { routes } from '../../../core/endpoint.ts'
import { deleteBot, getBots, getOneBot, patchBot, postBot, postBotTest } from './endpoints.ts'
import { askAssistant } from './jobs.ts'
import { botSessionsSource } from './work/bot-sessions-source.ts'

export const bots = {
  endpoints: routes({
    'GET /bots': getBots,
    'POST /bots': postBot,
    'GET /bots/:id': getOneBot,
    'PATCH /bots/:id': patchBot,
    'DELETE /bots/:id': deleteBot,
    'POST /bots/:id/test': postBotTest,
  }),
  jobs: [askAssistant],
  sources: {
    'bot-sessions': botSessionsSource,
  },
}
