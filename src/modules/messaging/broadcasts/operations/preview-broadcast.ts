/** Previews a campaign without creating it (spec 4.10; DECISIONS.md "Gates"). */

import { DAY_MS } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { requireScope } from '../../../../core/scopes.ts'
import { dayOf } from '../../../../core/values/calendar.ts'
import { listPhoneNumbers } from '../../../platform/workspaces/operations/phone-numbers.ts'
import { requireContactWalk } from '../../contacts/operations/walk-contacts.ts'
import { fillPersonal, type PersonalContent } from '../../templates/operations/personal-values.ts'
import {
  type Audience,
  listExamples,
  requireReadableAudience,
  requireReadableValues,
  resolveSegment,
} from '../audience.ts'
import { readNewRecipients } from '../queries/preview.ts'
import type { NewBroadcast } from '../schema.ts'
import { checkSchedule } from './create-broadcast.ts'
import { type Assessment, assessCampaign } from './gates.ts'
import { plannedContents } from './variants.ts'

export { type Audience, countRecipientsByPrefix } from '../audience.ts'

const MINUTES_A_DAY = 24 * 60

/**
 * Returns the preview of a campaign, with its forecast and the refusals of all gates, in order, and its current audience. Stores
 * nothing. Refuses `invalid_reference` for missing references, `invalid` for the time, and `rate_limited`
 * while too many requests read the workspace's many contacts.
 */
export async function previewBroadcast(ctx: Context, plan: Omit<NewBroadcast, 'name'>) {
  requireReadableAudience(ctx, plan.segment)
  const contents = plannedContents(plan)
  requireReadableValues(ctx, contents)
  requireScope(ctx, 'broadcasts:read', 'A preview')
  checkSchedule(ctx, plan.scheduledAt)
  await requireContactWalk(ctx)
  const {
    counts,
    refusals,
    number,
    audience,
    contents: filled,
  } = await assessCampaign(ctx, {
    ...plan,
    contents,
    segment: await resolveSegment(ctx, plan.segment),
  })
  const { matched, willSend, suppressed, reasons, newRecipients, knownRecipients } = counts
  const preview = {
    audience: { matched, willSend, suppressed, reasons },
    newRecipients,
    knownRecipients,
    forecast: await forecast(ctx, {
      number,
      willSend,
      newRecipients,
      at: plan.scheduledAt,
    }),
    examples: await fillExamples(ctx, audience, filled[0]!.sendable?.personal),
    warnings: refusals.map(({ code, message, details: { issues, earliestAt } }) => ({
      error: code,
      message,
      issues,
      earliestAt,
    })),
  }
  return { preview, audience }
}

const EXAMPLES = 3

/** Returns the messages of some recipients; none if all recipients get the same message. */
async function fillExamples(ctx: Context, audience: Audience, personal: PersonalContent | null | undefined) {
  if (!personal) return []
  const contacts = await listExamples(ctx, audience, EXAMPLES)
  return contacts.flatMap((contact) => {
    const filled = fillPersonal(personal, contact)
    if (!filled) return []
    return {
      contactId: contact.id,
      name: contact.displayName ?? contact.profileName,
      phone: contact.phone,
      values: Object.fromEntries(personal.values.map(({ path }, i) => [path, filled.texts[i]!])),
      text: filled.text,
    }
  })
}

type Planned = { number: Assessment['number']; willSend: number; newRecipients: number; at: Date | undefined }

/**
 * Returns the messages, the minutes at the number's pace, and the days. New recipients follow after people
 * who already wait.
 */
async function forecast(ctx: Context, { number, willSend, newRecipients, at = ctx.now }: Planned) {
  const numbers = await listPhoneNumbers(ctx)
  const throughput = numbers.find((sender) => sender.id === number.id)!.throughput
  const [today, day] = [dayOf(ctx.now, ctx.workspace.timezone), dayOf(at, ctx.workspace.timezone)]
  const found = await readNewRecipients(ctx, number.id, day)
  const { used } = found
  const aDay = number.dailyNewRecipients
  // Some of the people who wait now are reached before that day.
  const daysBefore = Math.max(0, (Date.parse(day) - Date.parse(today)) / DAY_MS - 1)
  const waiting = Math.max(0, found.waiting - aDay * daysBefore)
  const minutes = Math.ceil(willSend / (throughput * 60))
  return {
    messages: willSend,
    days: Math.max(daysOfNew(newRecipients, { used, waiting, aDay }), Math.ceil(minutes / MINUTES_A_DAY)),
    minutes,
    newRecipientsADay: aDay,
    messagesASecond: throughput,
  }
}

/**
 * Returns the number of days on which new recipients are messaged; `used` of the first day's allowance is
 * gone.
 */
function daysOfNew(people: number, day: { used: number; waiting: number; aDay: number }): number {
  if (people === 0) return 0
  const room = Math.max(0, day.aDay - day.used)
  return 1 + Math.ceil(Math.max(0, people + day.waiting - room) / day.aDay)
}
