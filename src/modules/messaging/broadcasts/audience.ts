/**
 * Counts the audience of a campaign before it starts, and walks it during the fan-out. Both judge contacts by
 * the same statement, so the preview matches the result (spec 4.4; DECISIONS.md "Audiences").
 */

import { DAY_MS, later } from '../../../core/clock.ts'
import type { Context, Unit, Workspace } from '../../../core/context.ts'
import { invalidReference, type Refusal, refuseReference } from '../../../core/errors.ts'
import { requireReadableNames, requireScope } from '../../../core/scopes.ts'
import { findKeptIds } from '../contacts/operations/find-contact.ts'
import { marketingSince } from '../contacts/operations/marketing-cap.ts'
import { type PersonalContact, personalFieldsIn } from '../templates/operations/personal-values.ts'
import { countAudienceRows, countByPrefix, listChatContactIds, type PrefixCount } from './queries/audience.ts'
import { countCoolingRows } from './queries/cool-offs.ts'
import { listExampleContacts } from './queries/personal-contacts.ts'
import { findSegment } from './queries/segments.ts'
import type { Selection } from './queries/selection.ts'
import { layOutStretches, type Stretch, type WalkedContact, walkAudienceRows } from './queries/walk.ts'
import { SKIP_REASONS, type SkipReason } from './schema.ts'
import type { AudienceSegment, SegmentDefinition } from './segment-schema.ts'

/** The recipients of a template, as of `at` (the workspace's time). */
export type Audience = {
  /** The result of `resolveSegment`. */
  segment: SegmentDefinition
  category: 'MARKETING' | 'UTILITY' | 'AUTHENTICATION'
  phoneNumberId: string
  knownOnly: boolean
  /** Fields that fill values without a fallback; contacts without them are skipped. */
  requiredFields: readonly string[]
  at: Date
  /** The time of sending, if it is later. The marketing cap looks back from it. */
  sendsAt?: Date | undefined
}

/**
 * `matched` = `willSend` + `suppressed`; `willSend` = `newRecipients` + `knownRecipients`; `reasons` has only
 * reasons that occur.
 */
export type AudienceCounts = {
  matched: number
  willSend: number
  suppressed: number
  /** Those of `willSend` who neither messaged the business nor opted in. */
  newRecipients: number
  knownRecipients: number
  reasons: Partial<Record<SkipReason, number>>
}

/** A person of an audience. `skip` is the reason for skipping them, or null. */
export type AudienceMember = {
  contactId: string
  /** The contact neither messaged the business nor opted in. */
  isNew: boolean
  skip: SkipReason | null
}

/**
 * Contacts of a stretch, and the most that a step reads. A step takes a few milliseconds, even if few
 * contacts match.
 */
const MAX_LOOK = 2_000

/** The workspace's id and marketing cap. */
type Allowing = Pick<Workspace, 'id' | 'marketingCap'>

const selectionOf = (
  { id, marketingCap }: Allowing,
  { segment, category, knownOnly, requiredFields, at, sendsAt = at }: Audience,
): Selection => ({
  workspaceId: id,
  segment,
  at,
  seenSince:
    segment.lastSeenWithinDays === undefined ? null : later(at, -segment.lastSeenWithinDays * DAY_MS),
  cap: category === 'MARKETING' ? { max: marketingCap, since: marketingSince(sendsAt) } : null,
  needsNumber: category === 'AUTHENTICATION',
  knownOnly,
  requiredFields,
})

/** Counts an audience in one statement: under a second for a million contacts. Locks and stores nothing. */
export async function countAudience(
  ctx: Pick<Context, 'tx' | 'workspace'>,
  audience: Audience,
): Promise<AudienceCounts> {
  const rows = await countAudienceRows(ctx.tx, selectionOf(ctx.workspace, audience))
  const ids = audience.segment.contactIds
  const duplicates = ids ? ids.length - new Set(ids).size : 0
  const found = new Map<string, number>(duplicates > 0 ? [['duplicate', duplicates]] : [])
  for (const { reason, people } of rows) if (reason) found.set(reason, (found.get(reason) ?? 0) + people)
  const sending = (isKnown: boolean) =>
    rows.find((row) => row.reason === null && row.known === isKnown)?.people ?? 0
  const suppressed = [...found.values()].reduce((sum, count) => sum + count, 0)
  const [newRecipients, knownRecipients] = [sending(false), sending(true)]
  return {
    matched: newRecipients + knownRecipients + suppressed,
    willSend: newRecipients + knownRecipients,
    suppressed,
    newRecipients,
    knownRecipients,
    reasons: Object.fromEntries(
      SKIP_REASONS.flatMap((name) => (found.has(name) ? [[name, found.get(name)]] : [])),
    ),
  }
}

/**
 * Returns the start of the cool-off before `time`; undefined if it is turned off. A new recipient who got a
 * campaign after it and has not answered gets no other.
 */
export const coolOffSince = (
  { coolOffDays }: Pick<Workspace, 'coolOffDays'>,
  time: Date,
): Date | undefined => (coolOffDays === 0 ? undefined : later(time, -coolOffDays * DAY_MS))

/**
 * Counts the new recipients of an audience who are in a cool-off: a campaign reached them after `since`, or
 * will soon.
 */
export const countCooling = (
  ctx: Pick<Context, 'tx' | 'workspace'>,
  audience: Audience,
  since: Date,
): Promise<number> => countCoolingRows(ctx.tx, selectionOf(ctx.workspace, audience), since)

/**
 * Counts the recipients of an audience by the first digits of their numbers. Only the price of utility templates depends on
 * windows, so others do not read chats.
 */
export const countRecipientsByPrefix = (
  ctx: Pick<Context, 'tx' | 'workspace'>,
  { category, phoneNumberId, at, sendsAt = at, ...audience }: Audience,
): Promise<PrefixCount[]> =>
  countByPrefix(ctx.tx, selectionOf(ctx.workspace, { category, phoneNumberId, at, sendsAt, ...audience }), {
    phoneNumberId,
    sendsAt: category === 'UTILITY' ? sendsAt : null,
  })

/** Returns the newest recipients of an audience, at most `max`, with their fields. */
export const listExamples = (
  ctx: Pick<Context, 'tx' | 'workspace'>,
  audience: Audience,
  max: number,
): Promise<PersonalContact[]> => listExampleContacts(ctx, selectionOf(ctx.workspace, audience), max)

/** Counts the contacts of a segment, and those of them who did not opt out and are not blocked. */
export async function countReachable(
  ctx: Pick<Context, 'tx' | 'workspace' | 'now'>,
  segment: SegmentDefinition,
): Promise<{ matched: number; reachable: number }> {
  const { matched, willSend, reasons } = await countAudience(ctx, {
    segment,
    // The sending number does not affect which contacts belong to a segment.
    category: 'UTILITY',
    phoneNumberId: '',
    knownOnly: false,
    requiredFields: [],
    at: ctx.now,
  })
  // A repeated id is one contact.
  return { matched: matched - (reasons.duplicate ?? 0), reachable: willSend }
}

/** Counts the contacts of a segment, including those who would be skipped. */
export const countMatched = async (
  ctx: Pick<Context, 'tx' | 'workspace' | 'now'>,
  segment: SegmentDefinition,
): Promise<number> => (await countReachable(ctx, segment)).matched

const memberOf = ({ id, known, reason }: WalkedContact): AudienceMember => ({
  contactId: id,
  isNew: !known,
  skip: reason as SkipReason | null,
})

/**
 * Divides the contacts of an audience into stretches, at most `max`, after the contact `after` (null: from
 * the first). `isComplete`: no contacts are left after these.
 */
export const layOutAudience = (
  { tx, workspace }: Pick<Unit, 'tx'> & { workspace: Pick<Workspace, 'id'> },
  segment: SegmentDefinition,
  { after, max }: { after: string | null; max: number },
): Promise<{ stretches: Stretch[]; isComplete: boolean }> =>
  layOutStretches(tx, { workspaceId: workspace.id, segment }, { after, length: MAX_LOOK, max })

/**
 * Returns the next members of an audience in a stretch, each once, in the order of their ids, at most
 * `limit`. A step reads a limited number of contacts and may find none: continue after `reached` until it is
 * null. Contacts created after `audience.at` do not belong.
 */
export async function readAudienceStep(
  unit: Pick<Unit, 'tx'>,
  workspace: Allowing,
  audience: Audience,
  { limit, ...stretch }: Stretch & { limit: number },
): Promise<{ members: AudienceMember[]; reached: string | null }> {
  const step = { ...stretch, limit, look: Math.max(MAX_LOOK, limit) }
  const { rows, reached } = await walkAudienceRows(unit.tx, selectionOf(workspace, audience), step)
  return { members: rows.map(memberOf), reached }
}

/** Requires the scope to read contacts, because a count by a condition reveals them. */
export function requireReadableAudience(ctx: Pick<Context, 'actor'>, segment: AudienceSegment): void {
  const [field] = Object.entries(segment).find(([, value]) => value !== undefined) ?? []
  if (field !== undefined) requireScope(ctx, 'contacts:read', `segment.${field}`)
}

/** Requires the scope to read contacts for values from their fields, which a message or a preview reveals. */
export const requireReadableValues = (
  ctx: Pick<Context, 'actor'>,
  contents: readonly { variables?: { components?: unknown } | null | undefined }[],
): void =>
  requireReadableNames(
    ctx,
    contents.flatMap(({ variables }) => personalFieldsIn(variables?.components).map(({ field }) => field)),
  )

/**
 * Returns the definition for the `segment` of a request: reads a saved segment, and checks a list of
 * contacts. Refuses `invalid_reference`, naming the segment or the ids.
 */
export async function resolveSegment(
  ctx: Pick<Context, 'tx' | 'workspace'>,
  { segmentId, ...definition }: AudienceSegment,
): Promise<SegmentDefinition> {
  if (segmentId !== undefined) {
    const saved = await findSegment(ctx.tx, ctx.workspace.id, segmentId)
    return saved?.definition ?? refuseReference('segment.segmentId', 'Segment not found. See GET /segments.')
  }
  const unknown = await unknownContacts(ctx, definition.contactIds ?? [])
  if (unknown.length === 0) return definition
  // Ids of merged contacts are replaced by those of the kept contacts.
  const workspaceId = ctx.workspace.id
  const keptIds = await findKeptIds(
    ctx,
    unknown.map((contactId) => ({ workspaceId, contactId })),
  )
  const missing = unknown.filter((id) => !keptIds.has(id))
  if (missing.length > 0) throw refuseUnknownContacts(missing, definition.contactIds!)
  return { ...definition, contactIds: definition.contactIds!.map((id) => keptIds.get(id) ?? id) }
}

async function unknownContacts(ctx: Pick<Context, 'tx' | 'workspace'>, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const chatIds = new Set((await listChatContactIds(ctx.tx, ctx.workspace.id, ids)).map(({ id }) => id))
  return [...new Set(ids)].filter((id) => !chatIds.has(id))
}

/** The number of ids that an error lists. */
const MAX_NAMED = 20

function refuseUnknownContacts(unknown: string[], ids: string[]): Refusal {
  const issues = unknown.slice(0, MAX_NAMED).map((id) => ({
    path: `segment.contactIds[${ids.indexOf(id)}]`,
    message: `Contact ${id} not found on the chat network.`,
  }))
  const more = unknown.length > issues.length ? `, and ${unknown.length - issues.length} more` : ''
  return invalidReference(
    issues,
    `segment.contactIds: These contacts don't exist: ${unknown.slice(0, MAX_NAMED).join(', ')}${more}. Leave them out.`,
  )
}
