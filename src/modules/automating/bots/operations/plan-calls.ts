import type { z } from 'zod'
import type { Unit } from '../../../../core/context.ts'
import type { JobKind } from '../../../../core/job.ts'
import { enqueueAll } from '../../../../database/sql/enqueue-jobs.ts'
import type { Played } from '../script/play-script.ts'
import type { WaitingKey } from './find-waiting.ts'
import type { Step, StepResult } from './run-steps.ts'

type WaitingJob = JobKind<z.ZodType<WaitingKey>>

/** Plans the requests and the questions to the assistant that these steps need, for after the commit. */
export type PlanCalls = (unit: Unit, steps: Step[], results: StepResult[]) => Promise<void>

/** Plans calls by the jobs of the module, which an operation that a job runs can't import. */
export async function planCalls(
  { askAssistant, callAddress }: { askAssistant: WaitingJob; callAddress: WaitingJob },
  unit: Unit,
  steps: Step[],
  results: StepResult[],
): Promise<void> {
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
