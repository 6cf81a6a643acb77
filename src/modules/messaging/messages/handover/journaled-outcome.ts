/** The part of a call's outcome that the journal keeps: no customer data. */
import { z } from 'zod'
import type { Outcome } from './outcome-writer.ts'

const OperatorError = z.object({
  code: z.number(),
  title: z.string(),
  message: z.string(),
  details: z.string().nullable(),
  category: z.string(),
  permanent: z.boolean(),
  retryable: z.boolean(),
  subcode: z.number().optional(),
})

/** The line of the message's trace. Earlier versions wrote none. */
const step = z.string().optional()

const Journaled = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('accepted'), chanmid: z.string(), step }),
  z.object({ kind: z.literal('again'), runAt: z.coerce.date(), counted: z.boolean(), step }),
  z.object({ kind: z.literal('failed'), error: OperatorError, step }),
  z.object({ kind: z.literal('unknown'), step }),
])

/** Returns the outcome for the journal, without the operator's spelling of the recipient. */
export const journaledOf = (outcome: Outcome): Outcome =>
  outcome.kind === 'accepted' ? { kind: 'accepted', chanmid: outcome.chanmid, step: outcome.step } : outcome

/** Reads an outcome from the journal; returns undefined if the value is not an outcome. */
export function readJournaled(answer: unknown): Outcome | undefined {
  const parsed = Journaled.safeParse(answer)
  if (!parsed.success) return undefined
  const { data } = parsed
  return data.kind === 'failed'
    ? { kind: 'failed', error: withoutUndefined(data.error), step: data.step }
    : data
}

const withoutUndefined = ({ subcode, ...error }: z.infer<typeof OperatorError>) =>
  subcode === undefined ? error : { ...error, subcode }
