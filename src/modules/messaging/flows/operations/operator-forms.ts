/** Reads the forms that the operator has for an account. */
import type { OutsideContext } from '../../../../core/context.ts'
import type { Answered, OperatorFlow, OperatorNumber } from '../../../../operator/port.ts'

/** Maximum number of pages read per account, a hundred forms each. */
const MAX_PAGES = 10

/** `isComplete`: false if the reading stopped before the last page. */
type Read = { flows: OperatorFlow[]; isComplete: boolean }

/** Reads page by page until `isEnough`, or to the end. The first failed page ends the reading with its answer. */
export async function readOperatorForms(
  ctx: OutsideContext,
  number: OperatorNumber,
  isEnough: (flow: OperatorFlow) => boolean = () => false,
): Promise<Answered<Read>> {
  const flows: OperatorFlow[] = []
  let after: string | null = null
  for (let page = 0; page < MAX_PAGES; page++) {
    const answered = await ctx.outside.operator.listFlows(number, after)
    if (answered.kind !== 'done') return answered
    flows.push(...answered.value.flows)
    after = answered.value.after
    if (after === null || answered.value.flows.some(isEnough)) break
  }
  return { kind: 'done', value: { flows, isComplete: after === null } }
}
