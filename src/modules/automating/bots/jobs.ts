import { z } from 'zod'
import { outsideJob } from '../../../core/job.ts'
import { askForAnswer, giveUpAsking } from './operations/ask-assistant.ts'

/**
 * Asks the assistant to answer a customer. It calls only once, because the customer waits: a failure hands
 * over.
 */
export const askAssistant = outsideJob({
  name: 'askAssistant',
  payload: z.object({ conversationId: z.string(), sessionId: z.string(), step: z.number() }),
  retrySeconds: [],
  runOutside: askForAnswer,
  giveUp: giveUpAsking,
})
