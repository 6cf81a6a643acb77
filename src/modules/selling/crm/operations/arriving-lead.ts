/** One captured lead: the meaning of its request, its new row, and its events. */
import { isoOf } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { Refusal } from '../../../../core/errors.ts'
import { emit } from '../../../../core/event.ts'
import { newId } from '../../../../core/ids.ts'
import { digitsOf } from '../../../../core/values/phone.ts'
import type { Found } from '../../../messaging/contacts/operations/find-or-create.ts'
import { nameOf } from '../../../messaging/contacts/schema.ts'
import { type LeadVia, leadAssigned, leadCreated, leadRecaptured } from '../events.ts'
import type { LeadRow } from '../queries/leads.ts'
import type { TimelineRow } from '../queries/timeline.ts'
import type { NewLead } from '../schema.ts'
import type { AssignedOwners } from './assign-owners.ts'
import { judgeNewLead, type NewLeadTerms } from './judge-new-lead.ts'
import { leadInEvent, ownerOf } from './present-lead.ts'
import type { WorkspaceWords } from './read-words.ts'
import { platformActor, timelineActor, timelineEntry } from './timeline.ts'

/**
 * One capture. `form`: the form it was sent with. `country`: the country next to its number, in any spelling.
 */
export type CaptureItem = {
  ctx: Context
  body: NewLead
  via: LeadVia
  form: string | null
  country?: string | null
  /**
   * Other answers of the form, by their label. A new lead gets all of them; a known lead gets those it lacks.
   */
  asked?: Record<string, string>
}
/** The contact of a capture, found or created. */
export type Person = Exclude<Found, 'full'>['contact']
/** A capture whose names are resolved. */
export type Prepared = CaptureItem & NewLeadTerms & { words: WorkspaceWords }

/** Resolves the names in a capture. `e164`: the number it was settled to, if any. */
export function prepare(
  item: CaptureItem,
  words: WorkspaceWords,
  e164: string | undefined,
): Prepared | Refusal {
  const terms = judgeNewLead(item.body, words, e164)
  return terms instanceof Refusal ? terms : { ...item, words, ...terms }
}

/** Returns the row of a new lead. Without a name in the request, it has the name of its contact. */
export function newLeadRow(item: Prepared, contact: Person, owners: AssignedOwners<Prepared>): LeadRow {
  const { ctx, body, stageId, lostReasonId, ownerId, attributes } = item
  const followUpAt = body.nextFollowUpAt ?? null
  return {
    workspaceId: ctx.workspace.id,
    id: newId(),
    contactId: contact.id,
    phone: digitsOf(contact.phone),
    name: body.name ?? nameOf(contact),
    email: body.email ?? null,
    stageId,
    lostReasonId,
    rating: body.rating ?? 0,
    source: body.source ?? null,
    ownerId: ownerId ?? owners.get(item) ?? null,
    dealValue: body.dealValue ?? 0,
    paidTotal: 0,
    tags: body.tags ?? [],
    attributes,
    nextFollowUpAt: followUpAt,
    manualFollowUpAt: followUpAt,
    captureCount: 1,
    lastCapturedAt: ctx.now,
    stageChangedAt: ctx.now,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
}

/** Returns the entries for the lead's timeline. */
export function entriesOf(
  item: Prepared,
  lead: LeadRow,
  created: boolean,
  owners: AssignedOwners<Prepared>,
): TimelineRow[] {
  const { ctx, body, words, via, form, asked } = item
  const actor = timelineActor(ctx, words.team)
  const captureEntry = timelineEntry(ctx, lead.id, actor, created ? 'captured' : 'recaptured', {
    via,
    form,
    source: body.source ?? null,
    captureCount: lead.captureCount,
    ...(asked && Object.keys(asked).length > 0 ? { answers: asked } : {}),
  })
  const entries = [captureEntry]
  const ownerId = created ? owners.get(item) : undefined
  if (ownerId)
    entries.push(
      timelineEntry(ctx, lead.id, platformActor(ctx), 'owner_changed', {
        from: null,
        to: ownerOf(words, ownerId),
      }),
    )
  if (body.note !== undefined) entries.push(timelineEntry(ctx, lead.id, actor, 'note', { body: body.note }))
  return entries
}

/** Fires the events of one capture. */
export function announce(
  item: Prepared,
  lead: LeadRow,
  created: boolean,
  owners: AssignedOwners<Prepared>,
): void {
  const { ctx, body, words, via, form } = item
  const subjects = { contactId: lead.contactId }
  const source = body.source ?? lead.source
  const eventLead = leadInEvent(lead, words)
  const timestamp = isoOf(ctx.now)
  if (!created) {
    emit(
      ctx,
      leadRecaptured,
      { lead: eventLead, source, via, form, captureCount: lead.captureCount, capturedAt: timestamp },
      subjects,
    )
    return
  }
  emit(ctx, leadCreated, { lead: eventLead, source, via, form, createdAt: timestamp }, subjects)
  const ownerId = owners.get(item)
  if (ownerId)
    emit(
      ctx,
      leadAssigned,
      { lead: eventLead, from: null, to: ownerOf(words, ownerId), assignedAt: timestamp },
      subjects,
    )
}
