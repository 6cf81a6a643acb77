/**
 * Limits how often automations may run. This stops loops that go through other servers, which Parley can't
 * detect.
 */
import { HOUR_MS, later, MINUTE_MS } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { touch } from '../../../../core/event.ts'
import { disableAutomation, findAutomationForUpdate } from '../queries/automations.ts'
import { hasActedTooOften, type RunRow } from '../queries/runs.ts'
import { recordLimited } from '../queries/states.ts'

const MAX_OF_CONTACT = 20
const MAX_OF_WORKSPACE = 10_000
/**
 * The time for which an automation may stay above the limit before Parley turns it off. A pause of the same
 * length restarts the time.
 */
const PATIENCE_MS = 5 * MINUTE_MS

const OF_CONTACT_REASON = `It ran ${MAX_OF_CONTACT} times for this contact within an hour.`
const OF_ALL_REASON = `The automations of the workspace ran ${MAX_OF_WORKSPACE} times within an hour.`

/**
 * Returns why a run is above the limit, or undefined if it isn't. Turns off an automation that stays above
 * the limit.
 */
export async function limitReached(ctx: Context, run: RunRow): Promise<string | undefined> {
  const since = later(ctx.now, -HOUR_MS)
  const { ofContact, ofAll } = await hasActedTooOften(ctx, run, since, {
    ofContact: MAX_OF_CONTACT,
    ofAll: MAX_OF_WORKSPACE,
  })
  if (!ofContact && !ofAll) return undefined
  const reason = ofContact ? OF_CONTACT_REASON : OF_ALL_REASON
  // Locked first, in the same order as by changes of the automation.
  await findAutomationForUpdate(ctx, run.automationId)
  const limitedSince = await recordLimited(ctx, run.automationId, PATIENCE_MS)
  if (later(limitedSince, PATIENCE_MS) <= ctx.now) {
    const message = `Turned off: it started more often than allowed for five minutes. ${reason}`
    if (await disableAutomation(ctx, run.automationId, message)) touch(ctx, { automation: run.automationId })
  }
  return reason
}
