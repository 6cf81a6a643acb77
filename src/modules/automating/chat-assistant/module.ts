import { routes } from '../../../core/endpoint.ts'
import { postConversationDraft, postConversationSummary } from './endpoints.ts'

export const chatAssistant = {
  endpoints: routes({
    'POST /conversations/:id/draft': postConversationDraft,
    'POST /conversations/:id/summary': postConversationSummary,
  }),
}
