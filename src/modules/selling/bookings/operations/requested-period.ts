import { DAY_MS, HOUR_MS } from '../../../../core/clock.ts'
import type { Workspace } from '../../../../core/context.ts'
import { invalid } from '../../../../core/errors.ts'
import { nextMidnight, startOfDay } from '../../../../core/values/calendar.ts'
import { MAX_SLOT_DAYS, type MomentOrDay } from '../schema.ts'

/** The place whose days a period has. */
type Place = { workspace: Pick<Workspace, 'timezone'> }

/** Returns the start of a requested period. A day starts at its first moment in the workspace's zone. */
export const startOfRequested = ({ workspace }: Place, from: MomentOrDay): Date =>
  typeof from === 'string' ? startOfDay(from, workspace.timezone)! : from

/** Returns the end of a requested period (excluded). A day is included. */
export const endOfRequested = ({ workspace }: Place, to: MomentOrDay): Date =>
  typeof to === 'string' ? nextMidnight(startOfDay(to, workspace.timezone)!, workspace.timezone) : to

/** Returns the requested period of slots. Refuses (`invalid`) a period that is empty or too long. */
export function slotsBetween(ctx: Place, range: { from: MomentOrDay; to: MomentOrDay }) {
  const period = { from: startOfRequested(ctx, range.from), to: endOfRequested(ctx, range.to) }
  // A day on which the clocks are put back has 25 hours.
  const slackMs = typeof range.to === 'string' ? HOUR_MS : 0
  const tookMs = period.to.getTime() - period.from.getTime()
  if (tookMs <= 0) throw invalid([{ path: 'to', message: 'Must be after from.' }])
  if (tookMs > MAX_SLOT_DAYS * DAY_MS + slackMs)
    throw invalid([{ path: 'to', message: `Must be at most ${MAX_SLOT_DAYS} days after from.` }])
  return period
}
