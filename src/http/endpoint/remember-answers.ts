/** Stores the answers of fresh requests for retries with the same key (spec 4.1.1). */
import { beforeCommit, type Unit } from '../../core/context.ts'
import type { Refusal } from '../../core/errors.ts'
import type { Execution, Item } from './execution.ts'
import { claimKeys, type Finding, rememberAnswers } from './idempotency.ts'
import { type Answer, isRemembered } from './reply-texts.ts'

/** A request that isn't a retry: the result of its claim (if it has a key) and its answer. */
export type Fresh = { item: Item; finding: Finding | undefined; answer: Answer }

/** Returns whether retries get this answer: results and rule refusals are stored. */
export const isKept = ({ refusal }: Answer): boolean => !refusal || isRemembered(refusal)

/** Stores the answers to keep. The statement is sent with the commit. */
export function remember({ texts }: Execution, unit: Unit, requests: Fresh[]): void {
  const answered = requests.flatMap(({ item: { claim }, finding, answer }) =>
    claim && isKept(answer) ? [{ claim, finding, answer: texts.stored(answer, claim) }] : [],
  )
  if (answered.length === 0) return
  const remembered = rememberAnswers(
    unit.tx,
    answered.map((k) => k.claim),
    answered.map((k) => k.answer),
    { overExpired: answered.some(({ finding }) => finding?.kind === 'fresh' && finding.expired) },
  )
  beforeCommit(unit, remembered)
}

/** Stores a refusal that rolled back its transaction, in a separate transaction. */
export async function rememberRefusal(execution: Execution, item: Item, refusal: Refusal): Promise<void> {
  if (!item.claim || !isRemembered(refusal)) return
  await execution.options.database.tenant(item.caller.workspace, async (unit) => {
    const [finding] = await claimKeys(unit.tx, [item.claim!])
    if (finding?.kind === 'fresh')
      remember(execution, unit, [{ item, finding, answer: execution.texts.refusalOf(refusal) }])
  })
}
