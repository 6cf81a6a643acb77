/** What the journal keeps of the outcome of a call: nothing that speaks of the customer. */
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

const Journaled = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('accepted'), chanmid: z.string() }),
  z.object({ kind: z.literal('again'), runAt: z.coerce.date(), counted: z.boolean() }),
  z.object({ kind: z.literal('failed'), error: OperatorError }),
  z.object({ kind: z.literal('unknown') }),
])

/** The outcome as it is written; how the operator spells the recipient is left out. */
export const journaledOf = (outcome: Outcome): Outcome =>
  outcome.kind === 'accepted' ? { kind: 'accepted', chanmid: outcome.chanmid } : outcome

/** The outcome as it was written; undefined where it is none. */
export function readJournaled(answer: unknown): Outcome | undefined {
  const parsed = Journaled.safeParse(answer)
  if (!parsed.success) return undefined
  const { data } = parsed
  return data.kind === 'failed' ? { kind: 'failed', error: withoutUndefined(data.error) } : data
}

const withoutUndefined = ({ subcode, ...error }: z.infer<typeof OperatorError>) =>
  subcode === undefined ? error : { ...error, subcode }
