/**
 * Checks a campaign before anything is stored (spec 4.4), in the order of DECISIONS.md "Gates".
 * Every refusal has the counts of new and known recipients.
 */
import { HOUR_MS, later } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { Refusal, refuseReference } from '../../../../core/errors.ts'
import { chooseNumber } from '../../../platform/workspaces/operations/choose-number.ts'
import { listNumbers } from '../../../platform/workspaces/operations/phone-numbers.ts'
import { type Restrictions, refuseRestricted } from '../../../platform/workspaces/operations/restrictions.ts'
import { buildCampaignContent } from '../../messages/sending/operations/campaign-content.ts'
import type { Sendable } from '../../messages/sending/operations/judge-send.ts'
import { explainNoRoom, readMessageRoom } from '../../messages/sending/operations/queue-campaign.ts'
import { getTemplate } from '../../templates/operations/read-templates.ts'
import { type Audience, type AudienceCounts, coolOffSince, countAudience, countCooling } from '../audience.ts'
import { type BroadcastRow, findBroadcastRow } from '../queries/broadcasts.ts'
import { holdBeginnings } from '../queries/cool-offs.ts'
import type { SegmentDefinition } from '../segment-schema.ts'

/** The fields of a campaign that decide its recipients and content. */
export type CampaignPlan = {
  templateId: string
  phoneNumberId: string
  /** The result of `resolveSegment` at the time of planning. */
  segment: SegmentDefinition
  variables?: { components?: Record<string, unknown>[] | undefined } | undefined
  confirmNewRecipients?: boolean | undefined
  knownOnly?: boolean | undefined
  followUpOf?: string | undefined
  /** The scheduled start. Without it, the gates use the current time. */
  scheduledAt?: Date | undefined
}

/** A campaign with existing references, and the results of the gates. */
export type Assessment = {
  number: Awaited<ReturnType<typeof listNumbers>>[number]
  template: Awaited<ReturnType<typeof getTemplate>>
  audience: Audience
  counts: AudienceCounts
  /** Undefined if the template cannot be filled. */
  sendable: Sendable | undefined
  /** The refusals of all gates that fail, in order. */
  refusals: Refusal[]
}

async function numberOf(ctx: Context, phoneNumberId: string) {
  const number = chooseNumber(await listNumbers(ctx, [ctx.workspace.id]), ctx.workspace.id, phoneNumberId)
  if (number instanceof Refusal) throw number
  return number
}

async function templateOf(ctx: Context, templateId: string, accountId: string) {
  const template = await getTemplate(ctx, templateId).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'not_found') return undefined
    throw error
  })
  if (template?.accountId !== accountId)
    refuseReference('templateId', "The sending number doesn't have this template. See GET /templates.")
  return template
}

async function leaderOf(ctx: Context, followUpOf: string | undefined): Promise<BroadcastRow | undefined> {
  if (followUpOf === undefined) return undefined
  return (
    (await findBroadcastRow(ctx, followUpOf)) ??
    refuseReference('followUpOf', 'Campaign not found. See GET /broadcasts.')
  )
}

/**
 * Checks all gates of a campaign, and stores nothing. Throws for missing references. `begins`: it runs from
 * this transaction on, and other campaigns that start to new recipients wait for its end.
 */
export async function assessCampaign(
  ctx: Context,
  plan: CampaignPlan,
  { begins = false }: { begins?: boolean | undefined } = {},
): Promise<Assessment> {
  const number = await numberOf(ctx, plan.phoneNumberId)
  const template = await templateOf(ctx, plan.templateId, number.accountId)
  const leader = await leaderOf(ctx, plan.followUpOf)
  const audience: Audience = {
    segment: plan.segment,
    category: template.category as Audience['category'],
    phoneNumberId: number.id,
    knownOnly: plan.knownOnly ?? false,
    at: ctx.now,
    sendsAt: plan.scheduledAt,
  }
  const counts = await countAudience(ctx, audience)
  const sendable = await buildCampaignContent(ctx, template, plan.variables?.components ?? [])
  const found = [
    refuseNumber(number, ctx.now),
    sendable instanceof Refusal ? sendable : undefined,
    await refuseRoom(ctx, audience, counts),
    refuseNotice(audience, counts),
    refuseFollowUpNotice(audience, leader),
    refuseUnconfirmed(plan, counts),
    await refuseCoolOff(ctx, audience, counts, begins),
    refuseFollowUp(ctx, plan, leader),
  ]
  return {
    number,
    template,
    audience,
    counts,
    sendable: sendable instanceof Refusal ? undefined : sendable,
    refusals: found.filter((refusal) => refusal !== undefined).map((refusal) => withCounts(refusal, counts)),
  }
}

const withCounts = (refusal: Refusal, { newRecipients, knownRecipients }: AudienceCounts): Refusal =>
  new Refusal(refusal.code, refusal.message, { ...refusal.details, newRecipients, knownRecipients })

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

async function refuseRoom(
  ctx: Context,
  { sendsAt }: Audience,
  { willSend }: AudienceCounts,
): Promise<Refusal | undefined> {
  const room = await readMessageRoom(ctx, sendsAt)
  if (willSend <= room && (room > 0 || willSend === 0)) return undefined
  return new Refusal(
    'quota_exceeded',
    ctx.workspace.walletEmpty
      ? explainNoRoom(ctx.workspace)
      : `The campaign needs ${willSend} messages, but this month's allowance has ${room} left. Choose fewer recipients, or raise the allowance.`,
  )
}

function refuseNotice({ category }: Audience, { newRecipients }: AudienceCounts): Refusal | undefined {
  if (category === 'MARKETING' || newRecipients === 0) return undefined
  return new Refusal(
    'notice_to_new_recipients',
    `${recipients(newRecipients)} never messaged you and can't receive ${category} templates. Leave them out with knownOnly, or use a marketing template.`,
  )
}

function refuseFollowUpNotice({ category }: Audience, leader: BroadcastRow | undefined): Refusal | undefined {
  if (leader?.category !== 'MARKETING' || category === 'MARKETING') return undefined
  return new Refusal(
    'follow_up_notice_template',
    `A follow-up to a marketing campaign must use a marketing template, not a ${category} template. Choose another template.`,
  )
}

function refuseUnconfirmed(
  { confirmNewRecipients }: CampaignPlan,
  { newRecipients }: AudienceCounts,
): Refusal | undefined {
  if (confirmNewRecipients || newRecipients === 0) return undefined
  return new Refusal(
    'new_recipients_unconfirmed',
    `${recipients(newRecipients)} never messaged you. Confirm with confirmNewRecipients that they agreed to receive messages, or leave them out with knownOnly.`,
  )
}

/** Refuses a campaign whose new recipients are in a cool-off. */
async function refuseCoolOff(
  ctx: Context,
  audience: Audience,
  { newRecipients }: AudienceCounts,
  begins: boolean,
): Promise<Refusal | undefined> {
  const since = coolOffSince(ctx.workspace, audience.sendsAt ?? ctx.now)
  if (newRecipients === 0 || since === undefined) return undefined
  if (begins) await holdBeginnings(ctx)
  const coolingCount = await countCooling(ctx, audience, since)
  if (coolingCount === 0) return undefined
  return new Refusal(
    'new_recipient_cool_off',
    `${recipients(coolingCount)} got or will get another campaign within ${ctx.workspace.coolOffDays} days and never answered. Send later, or leave new recipients out with knownOnly.`,
  )
}

function refuseFollowUp(
  ctx: Context,
  { knownOnly, scheduledAt }: CampaignPlan,
  leader: BroadcastRow | undefined,
): Refusal | undefined {
  // Always accepted (spec 4.4).
  if (!leader || knownOnly) return undefined
  const refuseTooSoon = (reason: string, details = {}) => new Refusal('follow_up_too_soon', reason, details)
  const { followUpHours } = ctx.workspace
  const ended = leader.completedAt ?? leader.cancelledAt
  if (!ended)
    return refuseTooSoon(
      "The campaign to follow up hasn't finished yet. Wait until it is completed, or follow up with knownOnly.",
    )
  if (!leader.startedAt)
    return refuseTooSoon('The campaign to follow up was canceled before it started. Leave out followUpOf.')
  const from = later(ended, followUpHours * HOUR_MS)
  if (from <= (scheduledAt ?? ctx.now)) return undefined
  return refuseTooSoon(
    `Send a follow-up at least ${followUpHours} hours after its campaign, from ${from.toISOString()}. With knownOnly you can send it at any time.`,
    { earliestAt: from.toISOString() },
  )
}
