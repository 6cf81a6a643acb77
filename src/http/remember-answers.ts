/** Keeps the answers of fresh requests for retries with their keys (spec 4.1.1). */
import { beforeCommit, type Unit } from '../core/context.ts'
import type { Refusal } from '../core/errors.ts'
import type { Execution, Item } from './execution.ts'
import { claimKeys, type Finding, rememberAnswers } from './idempotency.ts'
import { type Answer, isRemembered } from './reply-texts.ts'

/** A request that is no retry: what its claim found, where it made one, and its answer. */
export type Fresh = { item: Item; finding: Finding | undefined; answer: Answer }

/** Whether retries get this answer: outcomes, refusals by a rule included. */
export const isKept = ({ refusal }: Answer): boolean => !refusal || isRemembered(refusal)

/** Remembers what is kept of fresh answers. It goes out with the commit. */
export function remember({ texts }: Execution, unit: Unit, requests: Fresh[]): void {
  const kept = requests.flatMap(({ item: { claim }, finding, answer }) =>
    claim && isKept(answer) ? [{ claim, finding, answer: texts.stored(answer, claim) }] : [],
  )
  if (kept.length === 0) return
  const remembered = rememberAnswers(
    unit.tx,
    kept.map((k) => k.claim),
    kept.map((k) => k.answer),
    { overExpired: kept.some(({ finding }) => finding?.kind === 'fresh' && finding.expired) },
  )
  beforeCommit(unit, remembered)
}

/** A refusal thrown by a rule has rolled its transaction back; what it answered is kept in one of its own. */
export async function rememberRefusal(execution: Execution, item: Item, refusal: Refusal): Promise<void> {
  if (!item.claim || !isRemembered(refusal)) return
  await execution.options.database.tenant(item.caller.workspace, async (unit) => {
    const [finding] = await claimKeys(unit.tx, [item.claim!])
    if (finding?.kind === 'fresh')
      remember(execution, unit, [{ item, finding, answer: execution.texts.refusalOf(refusal) }])
  })
}
