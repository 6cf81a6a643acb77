import type { Unit } from '../../../core/context.ts'
import { enqueueAll } from '../../../core/job.ts'
import { askAssistant } from '../jobs.ts'
import type { Carried, Step } from './carry-out.ts'

/** Has the assistant asked where steps come to it, once they are committed. */
export async function askLater(unit: Unit, steps: Step[], carried: Carried[]): Promise<void> {
  const questions = steps.flatMap(({ ctx, conversationId, played }, i) => {
    const { session, silenced } = carried[i]!
    if (!played.asks || !session || silenced) return []
    return [
      { ctx: { ...unit, ...ctx }, payload: { conversationId, sessionId: session.id, step: session.step } },
    ]
  })
  if (questions.length > 0) await enqueueAll(askAssistant, questions)
}
