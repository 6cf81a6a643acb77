import type { Unit } from '../../../../core/context.ts'
import { enqueueAll } from '../../../../database/sql/enqueue-jobs.ts'
import { askAssistant } from '../jobs.ts'
import type { Step, StepResult } from './run-steps.ts'

/** Plans the questions to the assistant that these steps need, for after the commit. */
export async function enqueueAssistantQuestions(
  unit: Unit,
  steps: Step[],
  results: StepResult[],
): Promise<void> {
  const questions = steps.flatMap(({ ctx, conversationId, played }, i) => {
    const { session, silenced } = results[i]!
    if (!played.asks || !session || silenced) return []
    return [
      { ctx: { ...unit, ...ctx }, payload: { conversationId, sessionId: session.id, step: session.step } },
    ]
  })
  if (questions.length > 0) await enqueueAll(askAssistant, questions)
}
