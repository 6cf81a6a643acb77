import { routes } from '../../../core/endpoint.ts'
import {
  deleteBot,
  getBotRequests,
  getBotResults,
  getBots,
  getOneBot,
  patchBot,
  postAnswerPreview,
  postBot,
  postBotTest,
  postRequestTest,
} from './endpoints.ts'
import { askAssistant, callAddress } from './jobs.ts'
import { botRetentionSource } from './work/bot-retention-source.ts'
import { botSessionsSource } from './work/bot-sessions-source.ts'

export const bots = {
  endpoints: routes({
    'POST /auto-replies/preview': postAnswerPreview,
    'GET /bots': getBots,
    'POST /bots': postBot,
    'GET /bots/:id': getOneBot,
    'PATCH /bots/:id': patchBot,
    'DELETE /bots/:id': deleteBot,
    'POST /bots/:id/test': postBotTest,
    'GET /bots/:id/requests': getBotRequests,
    'GET /bots/:id/results': getBotResults,
    'POST /bots/:id/test-request': postRequestTest,
  }),
  jobs: [askAssistant, callAddress],
  sources: {
    'bot-sessions': botSessionsSource,
    'bot-retention': botRetentionSource,
  },
}
