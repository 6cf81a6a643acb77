import type { Unit } from '../../../../core/context.ts'
import { newId } from '../../../../core/ids.ts'
import { insertResults, type NewResults, RESULTS } from '../queries/results.ts'

/** The cause of messages that did not fail, and of failures without a code. */
export const NO_CAUSE = -1
const MAX_CAUSE = 2 ** 31 - 1

const causeOf = (code: number | null): number =>
  code !== null && Number.isInteger(code) && Math.abs(code) <= MAX_CAUSE ? code : NO_CAUSE

/**
 * Writes the results of templates in the transaction of their facts: one row for each template, number, day, and cause. Rows are
 * only added, so that transactions don't wait for each other.
 */
export async function recordResults(unit: Unit): Promise<void> {
  const deltas = new Map<string, NewResults>()
  for (const { workspaceId, phoneNumberId, counted, template } of unit.counts) {
    const result = RESULTS.find((name) => name === counted)
    if (template === null || result === undefined) continue
    const { name, language, day } = template
    const cause = causeOf(template.cause)
    const key = `${workspaceId} ${phoneNumberId} ${name} ${language} ${day} ${cause}`
    let delta = deltas.get(key)
    if (!delta) {
      const counts = { sent: 0, delivered: 0, read: 0, failed: 0 }
      delta = { workspaceId, id: newId(), day, phoneNumberId, name, language, cause, ...counts }
      deltas.set(key, delta)
    }
    delta[result]++
  }
  if (deltas.size > 0) await insertResults(unit.tx, [...deltas.values()])
}
