import type { Context } from '../../../core/context.ts'
import { refuse } from '../../../core/errors.ts'
import { FILLED_MAX } from '../../templates/operations/template-values.ts'
import { TEXT_MAX } from '../schema.ts'
import { filled } from './placeholders.ts'
import { type Scene, shownScene } from './subjects.ts'

/** The context of an action. `names` maps ids to their names when the automation was saved. */
export type Acting = { ctx: Context; scene: Scene; names: Record<string, string> }
/** The ids of created or changed records. */
export type Result = Record<string, unknown>

/** An action that does not apply to this customer. The run continues without it. */
export class SkippedStep extends Error {}

const skip = (why: string): never => {
  throw new SkippedStep(why)
}

export const contactOf = ({ scene }: Acting): NonNullable<Scene['contact']> =>
  scene.contact ?? skip('The event has no contact.')
export const leadOf = ({ scene }: Acting): NonNullable<Scene['lead']> =>
  scene.lead ?? skip("The contact isn't a lead.")
export const conversationOf = ({ scene }: Acting): NonNullable<Scene['conversation']> =>
  scene.conversation ?? skip('The event has no chat.')

/**
 * Fills in the placeholders of a text and cuts it after `max` characters. Returns undefined if the result is
 * empty.
 */
export function wordsIfAny({ scene }: Acting, text: string, max = TEXT_MAX): string | undefined {
  const words = filled(text, shownScene(scene), max).trim()
  return words === '' ? undefined : words
}

/** Fills in a text as `wordsIfAny` does, and skips the step if the result is empty. */
export const wordsOf = (acting: Acting, text: string, max?: number): string =>
  wordsIfAny(acting, text, max) ?? skip('The text is empty: its placeholders have no values.')

/**
 * Returns the values of a template and skips the step if one is blank. Their total stops just above the
 * longest template.
 */
export function valuesOf(acting: Acting, texts: readonly string[]): string[] {
  let room = FILLED_MAX
  return texts.map((text, i) => {
    // One character too many, so that the send reports the length error.
    const words =
      wordsIfAny(acting, text, room + 1) ??
      skip(`Value ${i + 1} of the template is empty: its placeholders have no values.`)
    room = Math.max(0, room - words.length)
    return words
  })
}

/** Refuses `invalid_reference` for a deleted record, with its name when the automation was saved. */
export const gone = ({ names }: Acting, what: string, id: string): never =>
  refuse(
    'invalid_reference',
    `The ${what} ${names[id] ? `"${names[id]}"` : id} doesn't exist anymore. Choose another.`,
  )
