import type { Unit } from '../../../core/context.ts'
import { type Answer, startFreeEntries } from '../queries/free-entry.ts'

export type { Answer } from '../queries/free-entry.ts'

/**
 * Takes note of answers of ours that went out: where the customer had come by an advertisement, a free entry point
 * begins (docs/formats.md sections 12 and 17). It is for information: what may be written follows the 24 hours alone.
 */
export async function noteAnswers(unit: Unit, answers: Answer[]): Promise<void> {
  if (answers.length > 0) await startFreeEntries(unit.tx, answers)
}
