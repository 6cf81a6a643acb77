import type { Context } from '../../../core/context.ts'
import { refuse } from '../../../core/errors.ts'
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
  scene.contact ?? skip('There is no contact.')
export const leadOf = ({ scene }: Acting): NonNullable<Scene['lead']> =>
  scene.lead ?? skip('The contact is no lead.')
export const conversationOf = ({ scene }: Acting): NonNullable<Scene['conversation']> =>
  scene.conversation ?? skip('There is no conversation.')

/** A text with its placeholders filled in; one of which nothing is left says nothing. */
export function wordsOf({ scene }: Acting, text: string): string {
  const words = filled(text, shownScene(scene)).trim()
  return words === '' ? skip('Nothing stands in the text: its placeholders are empty.') : words
}

export const valuesOf = ({ scene }: Acting, texts: readonly string[]): string[] => {
  const shown = shownScene(scene)
  return texts.map((text) => filled(text, shown))
}

/** Refuses what the action names and is not there any more. */
export const gone = ({ names }: Acting, what: string, id: string): never =>
  refuse('invalid_reference', `The ${what} ${names[id] ? `"${names[id]}"` : id} is not there any more.`)
