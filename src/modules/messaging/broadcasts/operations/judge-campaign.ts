/** Judges a campaign by the gates of DECISIONS.md "Gates" (spec 4.4). Each returns its refusal, if any. Reads nothing. */
import { HOUR_MS, later } from '../../../../core/clock.ts'
import type { Workspace } from '../../../../core/context.ts'
import { Refusal } from '../../../../core/errors.ts'
import { type Restrictions, refuseRestricted } from '../../../platform/workspaces/operations/restrictions.ts'
import { explainNoRoom } from '../../messages/sending/operations/queue-campaign.ts'
import type { Audience, AudienceCounts } from '../audience.ts'
import type { BroadcastRow } from '../queries/broadcasts.ts'

/** The campaign to follow up. */
type Leader = Pick<BroadcastRow, 'category' | 'startedAt' | 'completedAt' | 'cancelledAt'>

const recipients = (count: number): string => `${count} ${count === 1 ? 'recipient' : 'recipients'}`

/** Returns the refusal of a number that cannot send or cannot start conversations. */
export function refuseNumber(
  number: { number: string; state: string; stateReason: string | null } & Restrictions,
  now: Date,
): Refusal | undefined {
  if (number.state === 'active') return refuseRestricted(number, 'business_initiated', now)
  const code = number.state === 'number_banned' ? 'number_banned' : 'sending_blocked'
  return new Refusal(
    code,
    number.stateReason ??
      `${number.number} can't send: its state is ${number.state}. See GET /phone-numbers.`,
  )
}

/** Returns the refusal of a campaign that the month's allowance has no room for. */
export function refuseRoom(
  workspace: Pick<Workspace, 'walletEmpty'>,
  { willSend }: Pick<AudienceCounts, 'willSend'>,
  room: number,
): Refusal | undefined {
  if (willSend <= room && (room > 0 || willSend === 0)) return undefined
  return new Refusal(
    'quota_exceeded',
    workspace.walletEmpty
      ? explainNoRoom(workspace)
      : `The campaign needs ${willSend} messages, but this month's allowance has ${room} left. Choose fewer recipients, or raise the allowance.`,
  )
}

/** Returns the refusal of a notice to people who never wrote. */
export function refuseNotice(
  { category }: Pick<Audience, 'category'>,
  { newRecipients }: Pick<AudienceCounts, 'newRecipients'>,
): Refusal | undefined {
  if (category === 'MARKETING' || newRecipients === 0) return undefined
  return new Refusal(
    'notice_to_new_recipients',
    `${recipients(newRecipients)} never messaged you and can't receive ${category} templates. Leave them out with knownOnly, or use a marketing template.`,
  )
}

/** Returns the refusal of a notice that follows up a marketing campaign. */
export function refuseFollowUpNotice(
  { category }: Pick<Audience, 'category'>,
  leader: Pick<Leader, 'category'> | undefined,
): Refusal | undefined {
  if (leader?.category !== 'MARKETING' || category === 'MARKETING') return undefined
  return new Refusal(
    'follow_up_notice_template',
    `A follow-up to a marketing campaign must use a marketing template, not a ${category} template. Choose another template.`,
  )
}

/** Returns the refusal of new recipients whose consent is not confirmed. */
export function refuseUnconfirmed(
  { confirmNewRecipients }: { confirmNewRecipients?: boolean | undefined },
  { newRecipients }: Pick<AudienceCounts, 'newRecipients'>,
): Refusal | undefined {
  if (confirmNewRecipients || newRecipients === 0) return undefined
  return new Refusal(
    'new_recipients_unconfirmed',
    `${recipients(newRecipients)} never messaged you. Confirm with confirmNewRecipients that they agreed to receive messages, or leave them out with knownOnly.`,
  )
}

/** Returns the refusal of new recipients who are in a cool-off. */
export function refuseCooling(
  { coolOffDays }: Pick<Workspace, 'coolOffDays'>,
  coolingCount: number,
): Refusal | undefined {
  if (coolingCount === 0) return undefined
  return new Refusal(
    'new_recipient_cool_off',
    `${recipients(coolingCount)} got or will get another campaign within ${coolOffDays} days and never answered. Send later, or leave new recipients out with knownOnly.`,
  )
}

/** Returns the refusal of a follow-up that `startsAt` too soon after its campaign. */
export function refuseFollowUp(
  { followUpHours }: Pick<Workspace, 'followUpHours'>,
  { knownOnly, startsAt }: { knownOnly?: boolean | undefined; startsAt: Date },
  leader: Leader | undefined,
): Refusal | undefined {
  // Always accepted (spec 4.4).
  if (!leader || knownOnly) return undefined
  const refuseTooSoon = (reason: string, details = {}) => new Refusal('follow_up_too_soon', reason, details)
  const ended = leader.completedAt ?? leader.cancelledAt
  if (!ended)
    return refuseTooSoon(
      "The campaign to follow up hasn't finished yet. Wait until it is completed, or follow up with knownOnly.",
    )
  if (!leader.startedAt)
    return refuseTooSoon('The campaign to follow up was canceled before it started. Leave out followUpOf.')
  const from = later(ended, followUpHours * HOUR_MS)
  if (from <= startsAt) return undefined
  return refuseTooSoon(
    `Send a follow-up at least ${followUpHours} hours after its campaign, from ${from.toISOString()}. With knownOnly you can send it at any time.`,
    { earliestAt: from.toISOString() },
  )
}
