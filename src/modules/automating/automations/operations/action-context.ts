import type { Context } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { FILLED_MAX } from '../../../messaging/templates/operations/template-values.ts'
import { TEXT_MAX } from '../action-schema.ts'
import { filled } from './placeholders.ts'
import { type Scene, sceneValues } from './subjects.ts'

/** The context of an action. `names` maps ids to their names when the automation was saved. */
export type ActionContext = { ctx: Context; scene: Scene; names: Record<string, string> }
/** The ids of created or changed records. */
export type Result = Record<string, unknown>

/** An action that does not apply to this customer. The run continues without it. */
export class SkippedStep extends Error {}

const skip = (reason: string): never => {
  throw new SkippedStep(reason)
}

export const contactOf = ({ scene }: ActionContext): NonNullable<Scene['contact']> =>
  scene.contact ?? skip('The event has no contact.')
export const leadOf = ({ scene }: ActionContext): NonNullable<Scene['lead']> =>
  scene.lead ?? skip("The contact isn't a lead.")
export const conversationOf = ({ scene }: ActionContext): NonNullable<Scene['conversation']> =>
  scene.conversation ?? skip('The event has no chat.')

/**
 * Fills in the placeholders of a text and cuts it after `max` characters. Returns undefined if the result is
 * empty.
 */
export function fillOptionalText({ scene }: ActionContext, text: string, max = TEXT_MAX): string | undefined {
  const words = filled(text, sceneValues(scene), max).trim()
  return words === '' ? undefined : words
}

/** Fills in a text as `fillOptionalText` does, and skips the step if the result is empty. */
export const wordsOf = (context: ActionContext, text: string, max?: number): string =>
  fillOptionalText(context, text, max) ?? skip('The text is empty: its placeholders have no values.')

/**
 * Returns the values of a template and skips the step if one is blank. Their total stops just above the
 * longest template.
 */
export function valuesOf(context: ActionContext, texts: readonly string[]): string[] {
  let remaining = FILLED_MAX
  return texts.map((text, i) => {
    // One character too many, so that the send reports the length error.
    const words =
      fillOptionalText(context, text, remaining + 1) ??
      skip(`Value ${i + 1} of the template is empty: its placeholders have no values.`)
    remaining = Math.max(0, remaining - words.length)
    return words
  })
}

/** Refuses `invalid_reference` for a deleted record, with its name when the automation was saved. */
export const refuseMissingRecord = ({ names }: ActionContext, kind: string, id: string): never =>
  refuse(
    'invalid_reference',
    `The ${kind} ${names[id] ? `"${names[id]}"` : id} doesn't exist anymore. Choose another.`,
  )
