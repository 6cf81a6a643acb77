import type { Unit } from '../../../../core/context.ts'
import { enqueueAll } from '../../../../database/sql/enqueue-jobs.ts'
import { askAssistant, callAddress } from '../jobs.ts'
import type { Played } from '../script/play-script.ts'
import type { Step, StepResult } from './run-steps.ts'

/** Plans the requests and the questions to the assistant that these steps need, for after the commit. */
export async function enqueueCalls(unit: Unit, steps: Step[], results: StepResult[]): Promise<void> {
  const jobsOf = (isNeeded: (played: Played) => boolean) =>
    steps.flatMap(({ ctx, conversationId, played }, i) => {
      const { session, silenced, refusal } = results[i]!
      if (!isNeeded(played) || !session || silenced || refusal) return []
      return [
        { ctx: { ...unit, ...ctx }, payload: { conversationId, sessionId: session.id, step: session.step } },
      ]
    })
  const questions = jobsOf((played) => played.asks !== null)
  const requests = jobsOf((played) => played.calls !== null)
  if (questions.length > 0) await enqueueAll(askAssistant, questions)
  if (requests.length > 0) await enqueueAll(callAddress, requests)
}
