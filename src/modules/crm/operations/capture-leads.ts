/**
 * Leads that come in (spec 3, 4.5): by the API, the capture link or an import, many in one transaction. A known number
 * is never duplicated: its contact's row is locked first, so twins of one number make one lead, whoever they are.
 */
import type { Context, Unit } from '../../../core/context.ts'
import { invalid, Refusal } from '../../../core/errors.ts'
import { emit } from '../../../core/event.ts'
import { newId } from '../../../core/ids.ts'
import { digitsOf, parsePhone } from '../../../core/phone.ts'
import { contactLimitReached } from '../../contacts/operations/contact-room.ts'
import { type Found, findOrCreateContacts } from '../../contacts/operations/find-or-create.ts'
import { beginContact } from '../../contacts/operations/new-contact.ts'
import { findConversationsOfContacts } from '../../conversations/operations/of-contacts.ts'
import { listTeams } from '../../workspaces/operations.ts'
import { type LeadVia, leadAssigned, leadCreated, leadRecaptured } from '../events.ts'
import { countCaptures, insertLeadRows, type LeadRow, listLeadsByContactForUpdate } from '../lead-queries.ts'
import type { NewLead } from '../schema.ts'
import { insertTimelineRows, type TimelineRow } from '../timeline-queries.ts'
import { type AssignedOwners, assignOwners } from './assign-owners.ts'
import { type LeadWords, leadInEvent, ownerOf } from './present-lead.ts'
import { initialStage, readPipelines } from './read-pipeline.ts'
import { resolveLostReason, resolveOptionalMember, resolveStage } from './references.ts'
import { timelineActor, timelineEntry } from './timeline.ts'

/** One arrival. `form` names the form that it came through. */
export type CaptureItem = { ctx: Context; body: NewLead; via: LeadVia; form: string | null }
export type Captured = {
  lead: LeadRow
  created: boolean
  words: LeadWords
  conversationId: string | null
}

type Prepared = CaptureItem & {
  words: LeadWords
  e164: string
  stageId: string
  lostReasonId: string | null
  /** Undefined: the workspace's rule decides. */
  ownerId: string | null | undefined
}

/** Takes leads in: one answer an item, in order. Refusals: `invalid`, `plan_limit_reached` for a new person past the limit. */
export async function captureLeads(items: CaptureItem[]): Promise<(Captured | Refusal)[]> {
  const unit = items[0]!.ctx
  const words = await readWords(unit, items)
  const prepared = items.map((item) => prepare(item, words.get(item.ctx.workspace.id)!))
  const open = prepared.filter((item): item is Prepared => !(item instanceof Refusal))
  const found = open.length === 0 ? [] : await findOrCreateContacts(unit, open.map(wantedContact))
  const kept = open.flatMap((item, i): { item: Prepared; contactId: string }[] => {
    const answer = found[i] as Found
    return answer === 'full' ? [] : [{ item, contactId: answer.contact.id }]
  })
  const captured = await capture(unit, kept)
  return prepared.map((item) =>
    item instanceof Refusal ? item : (captured.get(item) ?? contactLimitReached(item.ctx.workspace)),
  )
}

async function readWords(unit: Unit, items: CaptureItem[]): Promise<Map<string, LeadWords>> {
  const workspaces = items.map((item) => item.ctx.workspace)
  const ids = [...new Set(workspaces.map((workspace) => workspace.id))]
  const [pipelines, members] = await Promise.all([
    readPipelines(unit, workspaces, items[0]!.ctx.now),
    listTeams(unit.tx, ids),
  ])
  return new Map(
    ids.map((id) => [
      id,
      { pipeline: pipelines.get(id)!, team: members.filter((member) => member.workspaceId === id) },
    ]),
  )
}

function prepare(item: CaptureItem, words: LeadWords): Prepared | Refusal {
  const { ctx, body } = item
  const e164 = parsePhone(body.phone, ctx.workspace.countryCode)
  if (e164 === undefined)
    return invalid([
      {
        path: 'phone',
        message: body.phone.startsWith('chan:')
          ? 'a lead needs a phone number; a customer without one cannot be a lead'
          : 'must be a phone number',
      },
    ])
  const stage =
    body.stage === undefined ? initialStage(words.pipeline) : resolveStage(body.stage, words.pipeline)
  if (stage instanceof Refusal) return stage
  const reason =
    body.lostReason === undefined ? undefined : resolveLostReason(body.lostReason, words.pipeline)
  if (reason instanceof Refusal) return reason
  if (reason && stage.kind !== 'lost')
    return invalid([{ path: 'lostReason', message: 'goes only with a stage of kind lost' }])
  const owner = resolveOptionalMember(body.owner, words.team, 'owner')
  if (owner instanceof Refusal) return owner
  const ownerId = owner === null ? null : owner?.id
  return { ...item, words, e164, stageId: stage.id, lostReasonId: reason?.id ?? null, ownerId }
}

const wantedContact = ({ ctx, e164, body }: Prepared) => ({
  ctx,
  fresh: { ...beginContact(ctx, e164, null), displayName: body.name ?? null },
})

async function capture(
  unit: Unit,
  kept: { item: Prepared; contactId: string }[],
): Promise<Map<Prepared, Captured>> {
  if (kept.length === 0) return new Map()
  const keys = kept.map(({ item, contactId }) => ({ workspaceId: item.ctx.workspace.id, contactId }))
  const [leads, conversations] = await Promise.all([
    listLeadsByContactForUpdate(unit.tx, keys),
    findConversationsOfContacts(unit, keys),
  ])
  const byContact = new Map(leads.map((lead) => [lead.contactId, lead]))
  const known = new Set(byContact.keys())
  const fresh = kept.filter(({ contactId }, i) => {
    const first = kept.findIndex((other) => other.contactId === contactId) === i
    return first && !known.has(contactId)
  })
  const owners = await assignOwners(
    unit,
    fresh.map(({ item }) => item),
  )
  const captured = new Map<Prepared, Captured>()
  const timeline: TimelineRow[] = []
  const inserted: LeadRow[] = []
  const recaptured = new Map<string, LeadRow>()
  for (const { item, contactId } of kept) {
    const before = byContact.get(contactId)
    const lead = before
      ? { ...before, captureCount: before.captureCount + 1, lastCapturedAt: item.ctx.now }
      : beginLead(item, contactId, owners)
    byContact.set(contactId, lead)
    if (!before) inserted.push(lead)
    else recaptured.set(lead.id, lead)
    const conversationId = conversations.get(contactId) ?? null
    captured.set(item, { lead, created: !before, words: item.words, conversationId })
    timeline.push(...entriesOf(item, lead, !before))
    announce(item, lead, !before, owners)
  }
  // Of twins in one list, the row is inserted as the last of them leaves it.
  const rows = inserted.map((lead) => byContact.get(lead.contactId)!)
  const counted = [...recaptured.values()].filter((lead) => known.has(lead.contactId))
  await Promise.all([
    rows.length > 0 && insertLeadRows(unit.tx, rows),
    counted.length > 0 && countCaptures(unit.tx, counted),
    insertTimelineRows(unit.tx, timeline),
  ])
  return captured
}

function beginLead(item: Prepared, contactId: string, owners: AssignedOwners<Prepared>): LeadRow {
  const { ctx, body, e164, stageId, lostReasonId, ownerId } = item
  const followUpAt = body.nextFollowUpAt ?? null
  return {
    workspaceId: ctx.workspace.id,
    id: newId(),
    contactId,
    phone: digitsOf(e164),
    name: body.name ?? null,
    email: body.email ?? null,
    stageId,
    lostReasonId,
    rating: body.rating ?? 0,
    source: body.source ?? null,
    ownerId: ownerId ?? owners.get(item) ?? null,
    dealValue: body.dealValue ?? 0,
    paidTotal: 0,
    tags: body.tags ?? [],
    attributes: Object.fromEntries(
      Object.entries(body.attributes ?? {}).filter(([, value]) => value !== null),
    ),
    nextFollowUpAt: followUpAt,
    manualFollowUpAt: followUpAt,
    captureCount: 1,
    lastCapturedAt: ctx.now,
    stageChangedAt: ctx.now,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
}

function entriesOf(item: Prepared, lead: LeadRow, created: boolean): TimelineRow[] {
  const { ctx, body, words, via, form } = item
  const actor = timelineActor(ctx, words.team)
  const came = timelineEntry(ctx, lead.id, actor, created ? 'captured' : 'recaptured', {
    via,
    form,
    source: body.source ?? null,
    captureCount: lead.captureCount,
  })
  if (body.note === undefined) return [came]
  return [came, timelineEntry(ctx, lead.id, actor, 'note', { body: body.note })]
}

function announce(item: Prepared, lead: LeadRow, created: boolean, owners: AssignedOwners<Prepared>): void {
  const { ctx, body, words, via, form } = item
  const about = { contactId: lead.contactId }
  const source = body.source ?? lead.source
  const told = leadInEvent(lead, words)
  const at = ctx.now.toISOString()
  if (!created) {
    emit(
      ctx,
      leadRecaptured,
      { lead: told, source, via, form, captureCount: lead.captureCount, capturedAt: at },
      about,
    )
    return
  }
  emit(ctx, leadCreated, { lead: told, source, via, form, createdAt: at }, about)
  const assigned = owners.get(item)
  if (assigned)
    emit(ctx, leadAssigned, { lead: told, from: null, to: ownerOf(words, assigned), assignedAt: at }, about)
}
