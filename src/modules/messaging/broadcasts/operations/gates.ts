/**
 * Checks a campaign before anything is stored (spec 4.4), in the order of DECISIONS.md "Gates".
 * Every refusal has the counts of new and known recipients.
 */
import type { Context } from '../../../../core/context.ts'
import { Refusal, refuseReference } from '../../../../core/errors.ts'
import { chooseNumber } from '../../../platform/workspaces/operations/choose-number.ts'
import { listNumbers } from '../../../platform/workspaces/operations/phone-numbers.ts'
import { buildCampaignContent } from '../../messages/sending/operations/campaign-content.ts'
import type { Sendable } from '../../messages/sending/operations/judge-send.ts'
import { readMessageRoom } from '../../messages/sending/operations/queue-campaign.ts'
import { getTemplate } from '../../templates/operations/read-templates.ts'
import { type Audience, type AudienceCounts, coolOffSince, countAudience, countCooling } from '../audience.ts'
import { type BroadcastRow, findBroadcastRow } from '../queries/broadcasts.ts'
import { holdBeginnings } from '../queries/cool-offs.ts'
import type { SegmentDefinition } from '../segment-schema.ts'
import {
  refuseCooling,
  refuseFollowUp,
  refuseFollowUpNotice,
  refuseNotice,
  refuseNumber,
  refuseRoom,
  refuseUnconfirmed,
} from './judge-campaign.ts'

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
    refuseRoom(ctx.workspace, counts, await readMessageRoom(ctx, audience.sendsAt)),
    refuseNotice(audience, counts),
    refuseFollowUpNotice(audience, leader),
    refuseUnconfirmed(plan, counts),
    await refuseCoolOff(ctx, audience, counts, begins),
    refuseFollowUp(
      ctx.workspace,
      { knownOnly: plan.knownOnly, startsAt: plan.scheduledAt ?? ctx.now },
      leader,
    ),
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
  return refuseCooling(ctx.workspace, await countCooling(ctx, audience, since))
}
