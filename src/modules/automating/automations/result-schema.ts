/** Shapes of the results of an automation's steps. */
import { z } from 'zod'
import { Instant } from '../../../core/values/text.ts'

/** The newest runs that the results read. */
export const MAX_RESULT_RUNS = 20_000
export const RESULT_DAYS = 30

const ReasonCount = z.object({
  reason: z.string().meta({ description: 'The reason, as in the log of runs.' }),
  count: z.int().meta({ description: 'Number of runs with this reason.' }),
})

const StepResult = z.object({
  action: z.string().meta({ description: 'The `type` of the action.', example: 'send_text' }),
  reached: z.int().meta({ description: 'Runs that reached the step.' }),
  done: z.int().meta({
    description:
      'Runs that completed the step. For `stop_if`: runs whose conditions did not match, so they continued.',
  }),
  stopped: z
    .int()
    .meta({ description: 'Runs that ended at the step because the conditions of `stop_if` matched.' }),
  skipped: z.int().meta({ description: 'Runs that left out the step.' }),
  failed: z.int().meta({ description: 'Runs that ended at the step with an error.' }),
  active: z.int().meta({ description: 'Runs that are at the step now, such as in `wait`.' }),
  skippedReasons: z
    .array(ReasonCount)
    .meta({ description: 'The most frequent reasons for leaving it out, at most 3.' }),
  failedReasons: z.array(ReasonCount).meta({ description: 'The most frequent errors, at most 3.' }),
})

/** The results of an automation in the last 30 days, step by step. */
export const AutomationResults = z
  .object({
    from: Instant.meta({ description: 'Start of the 30 days, in UTC.' }),
    runs: z.int().meta({
      description: `Runs that were read: the newest ${MAX_RESULT_RUNS.toLocaleString('en')} at most.`,
    }),
    limited: z.boolean().meta({ description: 'Whether there are more runs in this time than were read.' }),
    done: z.int().meta({ description: 'Runs that completed.' }),
    skipped: z.int().meta({ description: 'Runs that were skipped.' }),
    failed: z.int().meta({ description: 'Runs that failed.' }),
    active: z.int().meta({ description: 'Runs that are not finished.' }),
    notStarted: z.int().meta({ description: 'Skipped runs that did not reach the first step.' }),
    notStartedReasons: z
      .array(ReasonCount)
      .meta({ description: 'The most frequent reasons for not starting, at most 3.' }),
    otherSteps: z.int().meta({
      description:
        'Runs whose steps differ from the steps of today, because the automation was changed. They are not in `steps`.',
    }),
    steps: z.array(StepResult).meta({ description: 'The steps of today, in order.' }),
  })
  .meta({ id: 'AutomationResults', description: 'Results of an automation in the last 30 days, by step.' })
