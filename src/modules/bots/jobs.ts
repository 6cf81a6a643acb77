import { z } from 'zod'
import { outsideJob } from '../../core/job.ts'
import { askForAnswer, giveUpAsking } from './operations/ask-assistant.ts'

/** Has the assistant answer what a customer wrote. One call is all that a customer waits for: what fails is left to a person. */
export const askAssistant = outsideJob({
  name: 'askAssistant',
  payload: z.object({ conversationId: z.string(), sessionId: z.string(), step: z.number() }),
  retrySeconds: [],
  runOutside: askForAnswer,
  giveUp: giveUpAsking,
})
