import { z } from 'zod'
import type { Unit } from '../../../core/context.ts'
import { outsideJob } from '../../../core/job.ts'
import { askForAnswer, giveUpAsking } from './operations/ask-assistant.ts'
import { callForSession, giveUpCall } from './operations/call-address.ts'
import { planCalls } from './operations/plan-calls.ts'
import type { Step, StepResult } from './operations/run-steps.ts'

const waitingKey = z.object({ conversationId: z.string(), sessionId: z.string(), step: z.number() })

/**
 * Asks the assistant to answer a customer. It calls only once, because the customer waits: a failure hands
 * over.
 */
export const askAssistant = outsideJob({
  name: 'askAssistant',
  payload: waitingKey,
  retrySeconds: [],
  runOutside: askForAnswer,
  giveUp: giveUpAsking,
})

/**
 * Sends the request of a bot. Its own attempts follow each other quickly, because the customer waits; the job
 * runs again only if its process dies.
 */
export const callAddress = outsideJob({
  name: 'callAddress',
  payload: waitingKey,
  retrySeconds: [],
  runOutside: (ctx, key) => callForSession(ctx, key, enqueueCalls),
  giveUp: (ctx, key) => giveUpCall(ctx, key, enqueueCalls),
})

/** Plans the requests and the questions to the assistant that these steps need, for after the commit. */
export function enqueueCalls(unit: Unit, steps: Step[], results: StepResult[]): Promise<void> {
  return planCalls({ askAssistant, callAddress }, unit, steps, results)
}
