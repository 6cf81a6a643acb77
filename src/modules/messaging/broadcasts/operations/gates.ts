/**
 * Checks a campaign before anything is stored (spec 4.4), in the order of DECISIONS.md "Gates".
 * Every refusal has the counts of new and known recipients.
 */
import type { Context } from '../../../../core/context.ts'
import { invalid, Refusal, refuseReference } from '../../../../core/errors.ts'
import { chooseNumber } from '../../../platform/workspaces/operations/choose-number.ts'
import { listNumbers } from '../../../platform/workspaces/operations/phone-numbers.ts'
import {
  buildCampaignContent,
  type CampaignContent,
} from '../../messages/sending/operations/campaign-content.ts'
import { readMessageRoom } from '../../messages/sending/operations/queue-campaign.ts'
import { requiredFieldsIn } from '../../templates/operations/personal-values.ts'
import { getTemplate } from '../../templates/operations/read-templates.ts'
import { type Audience, type AudienceCounts, coolOffSince, countAudience, countCooling } from '../audience.ts'
import { type BroadcastRow, findBroadcastRow } from '../queries/broadcasts.ts'
import { holdBeginnings } from '../queries/cool-offs.ts'
import type { SegmentDefinition } from '../segment-schema.ts'
import { nameOfVariant } from './assign-variant.ts'
import {
  refuseCooling,
  refuseFollowUp,
  refuseFollowUpNotice,
  refuseNotice,
  refuseNumber,
  refuseRoom,
  refuseUnconfirmed,
} from './judge-campaign.ts'

type StoredTemplate = Awaited<ReturnType<typeof getTemplate>>
type Variables = { components?: Record<string, unknown>[] | undefined }
/** A template of a campaign, and its values. */
export type PlannedContent = { templateId: string; variables?: Variables | null | undefined }

/** The fields of a campaign that decide its recipients and content. */
export type CampaignPlan = {
  /** The template and its values, or the two or three variants to compare. */
  contents: PlannedContent[]
  phoneNumberId: string
  /** The result of `resolveSegment` at the time of planning. */
  segment: SegmentDefinition
  confirmNewRecipients?: boolean | undefined
  knownOnly?: boolean | undefined
  followUpOf?: string | undefined
  /** The scheduled start. Without it, the gates use the current time. */
  scheduledAt?: Date | undefined
}

/** A campaign with existing references, and the results of the gates. */
export type Assessment = {
  number: Awaited<ReturnType<typeof listNumbers>>[number]
  audience: Audience
  counts: AudienceCounts
  /** One for each planned content. `sendable`: undefined if the template cannot be filled. */
  contents: { template: StoredTemplate; sendable: CampaignContent | undefined }[]
  /** The refusals of all gates that fail, in order. */
  refusals: Refusal[]
}

/** The rule for the templates that a campaign compares. */
export const SAME_CATEGORY = 'Must have templates of the same category.'

async function numberOf(ctx: Context, phoneNumberId: string) {
  const number = chooseNumber(await listNumbers(ctx, [ctx.workspace.id]), ctx.workspace.id, phoneNumberId)
  if (number instanceof Refusal) throw number
  return number
}

/** Returns a template of the sending number's account. `path`: of its id in the request. */
async function templateOf(
  ctx: Context,
  { templateId, accountId, path }: { templateId: string; accountId: string; path: string },
) {
  const template = await getTemplate(ctx, templateId).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'not_found') return undefined
    throw error
  })
  if (template?.accountId !== accountId)
    refuseReference(path, "The sending number doesn't have this template. See GET /templates.")
  return template
}

const pathOf = (contents: readonly unknown[], index: number, field: string): string =>
  contents.length === 1 ? field : `variants[${index}].${field}`

/** Returns the templates of a campaign, at most three. Refuses templates of different categories. */
async function templatesOf(ctx: Context, contents: PlannedContent[], accountId: string) {
  const templates = await Promise.all(
    contents.map(({ templateId }, i) =>
      templateOf(ctx, { templateId, accountId, path: pathOf(contents, i, 'templateId') }),
    ),
  )
  if (new Set(templates.map(({ category }) => category)).size > 1)
    throw invalid([{ path: 'variants', message: SAME_CATEGORY }])
  return templates
}

/** Returns the contents with their templates filled, or the refusals of those that cannot be filled. */
const fillContents = (ctx: Context, contents: PlannedContent[], templates: StoredTemplate[]) =>
  Promise.all(
    contents.map(async ({ variables }, i) => {
      const sendable = await buildCampaignContent(ctx, templates[i]!, variables?.components ?? [])
      if (!(sendable instanceof Refusal) || contents.length === 1) return sendable
      return atVariant(sendable, i)
    }),
  )

/** Returns the refusal with the paths of a variant. */
function atVariant({ code, message, details }: Refusal, index: number): Refusal {
  const { issues } = details as { issues?: { path: string; message: string }[] }
  return new Refusal(code, `Variant ${nameOfVariant(index + 1)}: ${message}`, {
    ...details,
    ...(issues && {
      issues: issues.map((issue) => ({ ...issue, path: `variants[${index}].${issue.path}` })),
    }),
  })
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
  const templates = await templatesOf(ctx, plan.contents, number.accountId)
  const leader = await leaderOf(ctx, plan.followUpOf)
  const audience: Audience = {
    segment: plan.segment,
    category: templates[0]!.category as Audience['category'],
    phoneNumberId: number.id,
    knownOnly: plan.knownOnly ?? false,
    requiredFields: requiredFieldsIn(plan.contents.flatMap(({ variables }) => variables?.components ?? [])),
    at: ctx.now,
    sendsAt: plan.scheduledAt,
  }
  const counts = await countAudience(ctx, audience)
  const filled = await fillContents(ctx, plan.contents, templates)
  const found = [
    refuseNumber(number, ctx.now),
    ...filled.map((sendable) => (sendable instanceof Refusal ? sendable : undefined)),
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
    audience,
    counts,
    contents: templates.map((template, i) => {
      const sendable = filled[i]!
      return { template, sendable: sendable instanceof Refusal ? undefined : sendable }
    }),
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
