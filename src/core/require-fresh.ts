import { later, realTime } from './clock.ts'
import type { Context } from './context.ts'
import { refuse } from './errors.ts'
import { FRESH_MS, NOT_CONFIRMED } from './session.ts'

/**
 * Refuses `not_confirmed` for a member who signed in or confirmed more than 10 minutes ago, so that an open or stolen session
 * cannot redirect money or events. Keys are not sessions and always pass.
 */
export function requireFresh({ actor, now, workspace }: Pick<Context, 'actor' | 'now' | 'workspace'>): void {
  if (actor.kind !== 'member' || later(actor.confirmedAt, FRESH_MS) > realTime(now, workspace)) return
  refuse('not_confirmed', NOT_CONFIRMED)
}
