import type { Unit } from '../../../../core/context.ts'
import { type Answer, startFreeEntries } from '../queries/free-entry.ts'

export type { Answer } from '../queries/free-entry.ts'

/**
 * Records our delivered answers. If the customer came through an advertisement, a free entry point starts
 * (docs/formats.md sections 12 and 17). It is only informational: the 24-hour window alone decides which
 * messages may be sent.
 */
export async function recordAnswers(unit: Unit, answers: Answer[]): Promise<void> {
  if (answers.length > 0) await startFreeEntries(unit.tx, answers)
}
