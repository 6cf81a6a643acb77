import type { Context } from '../../../core/context.ts'
import { refuse } from '../../../core/errors.ts'
import { FILLED_MAX } from '../../templates/operations/template-values.ts'
import { TEXT_MAX } from '../schema.ts'
import { filled } from './placeholders.ts'
import { type Scene, shownScene } from './subjects.ts'

/** What an action of a run knows; `names` are what ids were called when the automation was saved. */
export type Acting = { ctx: Context; scene: Scene; names: Record<string, string> }
/** Ids of what it made or changed. */
export type Result = Record<string, unknown>

/** An action that means nothing for this customer: the run goes on without it. */
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

/** A text with its placeholders filled in, cut after `max` characters; undefined where nothing is left of it. */
export function wordsIfAny({ scene }: Acting, text: string, max = TEXT_MAX): string | undefined {
  const words = filled(text, shownScene(scene), max).trim()
  return words === '' ? undefined : words
}

/** The same; a text of which nothing is left says nothing. */
export const wordsOf = (acting: Acting, text: string, max?: number): string =>
  wordsIfAny(acting, text, max) ?? skip('The text is empty: its placeholders have no values.')

/** The values of a template, none of which may be blank. Together they stop where no template has room for more. */
export function valuesOf(acting: Acting, texts: readonly string[]): string[] {
  let room = FILLED_MAX
  return texts.map((text, i) => {
    // One character more than fits, so that the send says that it is too long.
    const words =
      wordsIfAny(acting, text, room + 1) ??
      skip(`Value ${i + 1} of the template is empty: its placeholders have no values.`)
    room = Math.max(0, room - words.length)
    return words
  })
}

/** Refuses what the action names and is not there any more. */
export const gone = ({ names }: Acting, what: string, id: string): never =>
  refuse(
    'invalid_reference',
    `The ${what} ${names[id] ? `"${names[id]}"` : id} doesn't exist anymore. Choose another.`,
  )
