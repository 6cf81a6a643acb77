/**
 * Who a campaign reaches: counted before it is made, and walked while it is frozen. Both judge a contact by the same
 * statement, so that what is announced beforehand is what is done (spec 4.4; docs/decisions/audiences.md, campaign-gates.md).
 */

import { DAY_MS, later } from '../../core/clock.ts'
import type { Context, Unit, Workspace } from '../../core/context.ts'
import { invalidReference, type Refusal, refuseReference } from '../../core/errors.ts'
import { requireScope } from '../../core/scopes.ts'
import { findKeptIds } from '../contacts/operations/find-contact.ts'
import { marketingSince } from '../contacts/operations/marketing-cap.ts'
import { countAudienceRows, listChatContactIds } from './queries/audience.ts'
import { countCoolingRows } from './queries/cool-offs.ts'
import { findSegment } from './queries/segments.ts'
import type { Selection } from './queries/selection.ts'
import { type LookedAt, layOutStretches, type Stretch, walkAudienceRows } from './queries/walk.ts'
import type { AudienceSegment, SegmentDefinition } from './segment-schema.ts'

/** Why a recipient is skipped, in the order in which reasons are looked for; each person has one. */
export const SKIP_REASONS = [
  'opted_out',
  'blocked',
  'marketing_cap',
  'no_number',
  'duplicate',
  'known_only',
] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

/** Who is meant, by a template of which category, as of `at` (the workspace's time). */
export type Audience = {
  /** As `resolveSegment` returns it. */
  segment: SegmentDefinition
  category: 'MARKETING' | 'UTILITY' | 'AUTHENTICATION'
  phoneNumberId: string
  knownOnly: boolean
  at: Date
  /** When it is to be sent, where that is later: what was sent to people before counts by then. */
  sendsAt?: Date | undefined
}

/** `matched` = `willSend` + `suppressed`; `willSend` = `newRecipients` + `knownRecipients`; `reasons` names those that occur. */
export type AudienceCounts = {
  matched: number
  willSend: number
  suppressed: number
  /** Of `willSend`: who neither wrote to the business nor opted in. */
  newRecipients: number
  knownRecipients: number
  reasons: Partial<Record<SkipReason, number>>
}

/** One person of an audience; `skip`: why nothing is sent to them, else null. */
export type AudienceMember = {
  contactId: string
  /** Neither wrote to the business nor opted in. */
  isNew: boolean
  skip: SkipReason | null
}

/** Contacts of a stretch, and so those that one step looks at: few milliseconds, also where hardly anyone belongs to the audience. */
const MAX_LOOK = 2_000

/** Of a workspace: whose contacts, and how much marketing each is sent. */
type Allowing = Pick<Workspace, 'id' | 'marketingCap'>

const selectionOf = (
  { id, marketingCap }: Allowing,
  { segment, category, knownOnly, at, sendsAt = at }: Audience,
): Selection => ({
  workspaceId: id,
  segment,
  at,
  seenSince:
    segment.lastSeenWithinDays === undefined ? null : later(at, -segment.lastSeenWithinDays * DAY_MS),
  cap: category === 'MARKETING' ? { max: marketingCap, since: marketingSince(sendsAt) } : null,
  needsNumber: category === 'AUTHENTICATION',
  knownOnly,
})

/** Counts an audience in one statement: under a second among a million contacts. Nothing is locked or stored. */
export async function countAudience(
  ctx: Pick<Context, 'tx' | 'workspace'>,
  audience: Audience,
): Promise<AudienceCounts> {
  const rows = await countAudienceRows(ctx.tx, selectionOf(ctx.workspace, audience))
  const ids = audience.segment.contactIds
  const duplicates = ids ? ids.length - new Set(ids).size : 0
  const found = new Map<string, number>(duplicates > 0 ? [['duplicate', duplicates]] : [])
  for (const { reason, people } of rows) if (reason) found.set(reason, (found.get(reason) ?? 0) + people)
  const sending = (known: boolean) =>
    rows.find((row) => row.reason === null && row.known === known)?.people ?? 0
  const suppressed = [...found.values()].reduce((sum, people) => sum + people, 0)
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

/** Who never wrote and got a campaign after this moment is left alone at `at` until they answer; undefined: nobody is. */
export const coolOffSince = ({ coolOffDays }: Pick<Workspace, 'coolOffDays'>, at: Date): Date | undefined =>
  coolOffDays === 0 ? undefined : later(at, -coolOffDays * DAY_MS)

/** How many of an audience's new recipients were new recipients of a campaign after `since` already, or are about to be. */
export const countCooling = (
  ctx: Pick<Context, 'tx' | 'workspace'>,
  audience: Audience,
  since: Date,
): Promise<number> => countCoolingRows(ctx.tx, selectionOf(ctx.workspace, audience), since)

/** How many contacts a segment holds, whatever would be sent to them. */
export async function countMatched(
  ctx: Pick<Context, 'tx' | 'workspace' | 'now'>,
  segment: SegmentDefinition,
): Promise<number> {
  // No sending number: it decides nothing about who belongs to a segment.
  const anyone = { category: 'UTILITY', phoneNumberId: '', knownOnly: false } as const
  const { matched, reasons } = await countAudience(ctx, { segment, ...anyone, at: ctx.now })
  // Whoever is named twice is one contact.
  return matched - (reasons.duplicate ?? 0)
}

const memberOf = ({ id, known, reason }: LookedAt): AudienceMember => ({
  contactId: id,
  isNew: !known,
  skip: reason as SkipReason | null,
})

/**
 * Lays the contacts that an audience is found among out in stretches, at most `max`, from the contact `after` on (null:
 * from the first). `all`: these are the last.
 */
export const layOutAudience = (
  { tx, workspace }: Pick<Unit, 'tx'> & { workspace: Pick<Workspace, 'id'> },
  segment: SegmentDefinition,
  { after, max }: { after: string | null; max: number },
): Promise<{ stretches: Stretch[]; all: boolean }> =>
  layOutStretches(tx, { workspaceId: workspace.id, segment }, { after, length: MAX_LOOK, max })

/**
 * The next members of an audience in a stretch, in the order of their ids, each once: at most `limit`. The step looks at
 * a bounded number of contacts, so it may find none although there are more: go on after `reached` until that is null.
 * Contacts made after `audience.at` do not belong to it.
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

/** To count contacts by a condition is to read them: a narrowed key requires the scope for it. */
export function requireReadableAudience(ctx: Pick<Context, 'actor'>, segment: AudienceSegment): void {
  const [field] = Object.entries(segment).find(([, value]) => value !== undefined) ?? []
  if (field !== undefined) requireScope(ctx, 'contacts:read', `segment.${field}`)
}

/**
 * What `segment` of a request stands for: a saved one is read, and each contact of a list is one of the workspace's on
 * the chat network. Refusals: `invalid_reference` naming the segment or the ids.
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
  // Ids of merged contacts lead to those that were kept.
  const workspaceId = ctx.workspace.id
  const kept = await findKeptIds(
    ctx,
    unknown.map((contactId) => ({ workspaceId, contactId })),
  )
  const nobody = unknown.filter((id) => !kept.has(id))
  if (nobody.length > 0) throw namesNobody(nobody, definition.contactIds!)
  return { ...definition, contactIds: definition.contactIds!.map((id) => kept.get(id) ?? id) }
}

async function unknownContacts(ctx: Pick<Context, 'tx' | 'workspace'>, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const there = new Set((await listChatContactIds(ctx.tx, ctx.workspace.id, ids)).map(({ id }) => id))
  return [...new Set(ids)].filter((id) => !there.has(id))
}

/** Ids that a refusal spells out. */
const MAX_NAMED = 20

function namesNobody(unknown: string[], ids: string[]): Refusal {
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
