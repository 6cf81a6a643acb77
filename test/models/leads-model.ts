/**
 * The model of leads, without a database: spec 2.2, 2.3, 3, 4.5, and 6.3, and the decisions on their fields
 * and lists.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Body } from '../support/boot.ts'

export type Stage = { id: string; name: string; kind: string }
export type Member = { id: string; name: string; email: string }
export type Words = { stages: Stage[]; reasons: { id: string; label: string }[]; members: Member[] }

/** The fields of `POST /leads` and `PATCH /leads/{id}`; references by name, or by ID as `#name`. */
export type Fields = {
  name?: string | null
  email?: string | null
  source?: string | null
  stage?: string
  lostReason?: string
  owner?: string | null
  rating?: number
  dealValue?: number
  tags?: string[]
  addTags?: string[]
  removeTags?: string[]
  attributes?: Record<string, unknown>
  nextFollowUpAt?: string | null
  note?: string
}

export type Contact = {
  id: string
  e164: string
  name: string | null
  conversationId: string | null
  leadId: string | null
  /** The number of messages from the contact; they belong to the lead's timeline. */
  wrote: number
}

export type Lead = {
  id: string
  contact: Contact
  name: string | null
  email: string | null
  source: string | null
  stage: Stage
  reason: { id: string; label: string } | null
  owner: Member | null
  rating: number
  dealValue: number
  tags: string[]
  attributes: Record<string, unknown>
  followUpAt: string | null
  captureCount: number
  notes: string[]
  /** The kinds of the timeline's entries; those of one command may be in any order. */
  story: string[][]
}

/** An expected event; `data` is left out if the order of two concurrent requests decides it. */
export type Reported = { event: string; contact: Contact; data?: Body; erased?: true }

export type LeadsModel = {
  words: Words
  contacts: Contact[]
  /** In order of creation. */
  leads: Lead[]
  /** The events of each command; those of one command may be in any order. */
  reported: Reported[][]
  max: number
}

export type Outcome =
  | { status: 200 | 201; lead: Lead; changed: string[] }
  | { status: 402 | 404; error: string }
  /** `fields`: the invalid fields, of which the answer must name at least one. */
  | { status: 400; error: 'invalid'; fields: string[] }

export const findContact = (model: LeadsModel, e164: string): Contact | undefined =>
  model.contacts.find((contact) => contact.e164 === e164)
export const findLead = (model: LeadsModel, e164: string): Lead | undefined =>
  model.leads.find((lead) => lead.contact.e164 === e164)

const findByRef = <One extends { id: string }>(
  entries: One[],
  ref: string,
  names: (entry: One) => string[],
): One | undefined =>
  entries.find((entry) =>
    names(entry).some((name) => `#${name}` === ref || name.toLowerCase() === ref.toLowerCase()),
  )
export const stageOf = ({ words }: LeadsModel, ref: string) =>
  findByRef(words.stages, ref, (stage) => [stage.name])
const reasonOf = ({ words }: LeadsModel, ref: string) =>
  findByRef(words.reasons, ref, (reason) => [reason.label])
const memberOf = ({ words }: LeadsModel, ref: string) =>
  findByRef(words.members, ref, (member) => [member.name, member.email])

/** Returns the body with `#name` replaced by the ID of that name. */
export function withIds(model: LeadsModel, fields: Fields): Fields {
  const idOf = (found: { id: string } | undefined, ref: string) => (ref.startsWith('#') ? found!.id : ref)
  const { stage, lostReason, owner } = fields
  return {
    ...fields,
    ...(stage === undefined ? {} : { stage: idOf(stageOf(model, stage), stage) }),
    ...(lostReason === undefined ? {} : { lostReason: idOf(reasonOf(model, lostReason), lostReason) }),
    ...(typeof owner === 'string' ? { owner: idOf(memberOf(model, owner), owner) } : {}),
  }
}

const blankToNull = (text: string | null): string | null =>
  text === null || text.trim() === '' ? null : text

/** Returns the fields with an unknown name, which is an error, never a guess (spec 2.1). */
function unknownNames(model: LeadsModel, { stage, lostReason, owner }: Fields): string[] {
  return [
    ...(stage !== undefined && !stageOf(model, stage) ? ['stage'] : []),
    ...(lostReason !== undefined && !reasonOf(model, lostReason) ? ['lostReason'] : []),
    ...(typeof owner === 'string' && !memberOf(model, owner) ? ['owner'] : []),
  ]
}

const invalid = (fields: string[]): Outcome => ({ status: 400, error: 'invalid', fields })

export function capture(model: LeadsModel, e164: string, fields: Fields): Outcome {
  const invalidFields = unknownNames(model, fields)
  const stage =
    (fields.stage === undefined ? undefined : stageOf(model, fields.stage)) ?? model.words.stages[0]!
  if (fields.lostReason !== undefined && stage.kind !== 'lost') invalidFields.push('lostReason')
  if (fields.lostReason === undefined && stage.kind === 'lost') invalidFields.push('lostReason')
  if (invalidFields.length > 0) return invalid(invalidFields)
  const existing = findLead(model, e164)
  if (existing) return recapture(model, existing, fields)
  const contact = findContact(model, e164) ?? newContact(model, e164, blankToNull(fields.name ?? null))
  if (!contact) return { status: 402, error: 'plan_limit_reached' }
  const lead: Lead = {
    id: '',
    contact,
    name: blankToNull(fields.name ?? null) ?? contact.name,
    email: fields.email ?? null,
    source: blankToNull(fields.source ?? null),
    stage,
    reason: fields.lostReason === undefined ? null : (reasonOf(model, fields.lostReason) ?? null),
    owner: typeof fields.owner === 'string' ? (memberOf(model, fields.owner) ?? null) : null,
    rating: fields.rating ?? 0,
    dealValue: fields.dealValue ?? 0,
    tags: fields.tags ?? [],
    attributes: mergeAttributes({}, fields.attributes),
    followUpAt: fields.nextFollowUpAt ?? null,
    captureCount: 1,
    notes: fields.note === undefined ? [] : [fields.note],
    story: [
      ...Array.from({ length: contact.wrote }, () => ['message_received']),
      ['captured', ...(fields.note === undefined ? [] : ['note'])],
    ],
  }
  model.leads.push(lead)
  const data = { lead: inEvent(lead), source: lead.source, via: 'api', form: null }
  model.reported.push([{ event: 'lead.created', contact, data }])
  return { status: 201, lead, changed: [] }
}

/** Captures a known number: only counts it again (spec 3, src/modules/selling/crm/DECISIONS.md "Leads"). */
function recapture(model: LeadsModel, lead: Lead, { source, note }: Fields): Outcome {
  lead.captureCount++
  lead.story.push(['recaptured', ...(note === undefined ? [] : ['note'])])
  if (note !== undefined) lead.notes.push(note)
  const data = {
    lead: inEvent(lead),
    source: blankToNull(source ?? null) ?? lead.source,
    via: 'api',
    form: null,
    captureCount: lead.captureCount,
  }
  model.reported.push([{ event: 'lead.recaptured', contact: lead.contact, data }])
  return { status: 200, lead, changed: [] }
}

/**
 * Adds the contact of a lead, without an event (docs/decisions: a lead is also a contact); undefined if the
 * plan is full.
 */
export function newContact(
  model: LeadsModel,
  e164: string,
  name: string | null,
  anyhow = false,
): Contact | undefined {
  if (!anyhow && model.contacts.length >= model.max) return undefined
  const contact = { id: '', e164, name, conversationId: null, leadId: null, wrote: 0 }
  model.contacts.push(contact)
  return contact
}

function mergeAttributes(
  before: Record<string, unknown>,
  patch: Record<string, unknown> = {},
): Record<string, unknown> {
  return Object.fromEntries(Object.entries({ ...before, ...patch }).filter(([, value]) => value !== null))
}

export const inEvent = (lead: Lead) => ({
  phone: lead.contact.e164.slice(1),
  name: lead.name,
  email: lead.email,
  stage: { id: lead.stage.id, name: lead.stage.name, kind: lead.stage.kind },
  owner: lead.owner,
  source: lead.source,
  rating: lead.rating,
  dealValue: lead.dealValue,
  tags: lead.tags,
})

const CHANGES = [
  ['stage_changed', 'stage'],
  ['owner_changed', 'owner'],
  ['name_changed', 'name'],
  ['email_changed', 'email'],
  ['source_changed', 'source'],
  ['rating_changed', 'rating'],
  ['deal_value_changed', 'dealValue'],
  ['tags_changed', 'tags'],
  ['attributes_changed', 'attributes'],
  ['follow_up_changed', 'followUpAt'],
] as const

/**
 * Changes a lead (spec 3, 4.5): a move to a lost stage requires a reason, and a reason requires that move.
 */
export function change(model: LeadsModel, e164: string, patch: Fields): Outcome {
  if (patch.tags && (patch.addTags ?? patch.removeTags)) return invalid(['tags'])
  const before = findLead(model, e164)
  if (!before) return { status: 404, error: 'not_found' }
  const invalidFields = unknownNames(model, patch)
  const stage = (patch.stage === undefined ? undefined : stageOf(model, patch.stage)) ?? before.stage
  const reason = patch.lostReason === undefined ? undefined : reasonOf(model, patch.lostReason)
  const stays = stage === before.stage
  if (stage.kind === 'lost' ? !stays && !reason : patch.lostReason !== undefined)
    invalidFields.push('lostReason')
  if (invalidFields.length > 0) return invalid(invalidFields)
  const text = (field: 'name' | 'source') =>
    patch[field] === undefined ? before[field] : blankToNull(patch[field])
  const owner = typeof patch.owner === 'string' ? memberOf(model, patch.owner)! : patch.owner
  const tags = [...new Set([...before.tags, ...(patch.addTags ?? [])])]
  const after: Lead = {
    ...before,
    stage,
    reason: stage.kind === 'lost' ? (reason ?? before.reason) : null,
    owner: owner === undefined ? before.owner : owner,
    name: text('name'),
    source: text('source'),
    email: patch.email === undefined ? before.email : patch.email,
    rating: patch.rating ?? before.rating,
    dealValue: patch.dealValue ?? before.dealValue,
    tags: patch.tags ?? tags.filter((tag) => !patch.removeTags?.includes(tag)),
    attributes: mergeAttributes(before.attributes, patch.attributes),
    followUpAt: patch.nextFollowUpAt === undefined ? before.followUpAt : patch.nextFollowUpAt,
  }
  const changed: string[] = CHANGES.flatMap(([name, field]) =>
    isDeepStrictEqual(before[field], after[field]) ? [] : [name],
  )
  if (stays && before.reason !== after.reason) changed.push('lost_reason_changed')
  const from = { stage: inEvent(before).stage, owner: before.owner }
  Object.assign(before, after)
  if (changed.length > 0) before.story.push(changed)
  reportChange(model, before, changed, from)
  return { status: 200, lead: before, changed }
}

function reportChange(
  model: LeadsModel,
  lead: Lead,
  changed: string[],
  from: { stage: Body; owner: Body },
): void {
  const { contact } = lead
  const reported = inEvent(lead)
  const moved = { lead: reported, from: from.stage, to: reported.stage, lostReason: lead.reason }
  model.reported.push([
    ...(changed.includes('stage_changed') ? [{ event: 'lead.stage_changed', contact, data: moved }] : []),
    ...(changed.includes('owner_changed')
      ? [{ event: 'lead.assigned', contact, data: { lead: reported, from: from.owner, to: lead.owner } }]
      : []),
  ])
}

export function note(model: LeadsModel, e164: string, body: string): Outcome {
  const lead = findLead(model, e164)
  if (!lead) return { status: 404, error: 'not_found' }
  lead.notes.push(body)
  lead.story.push(['note'])
  return { status: 201, lead, changed: [] }
}

/**
 * Erases a contact with its lead (spec 4.4); their reported events keep only IDs. Returns false for an
 * unknown number.
 */
export function erase(model: LeadsModel, e164: string): boolean {
  const contact = findContact(model, e164)
  if (!contact) return false
  model.contacts = model.contacts.filter((other) => other !== contact)
  model.leads = model.leads.filter((lead) => lead.contact !== contact)
  for (const reported of model.reported.flat()) if (reported.contact === contact) reported.erased = true
  model.reported.push([{ event: 'contact.deleted', contact, data: { phone: e164, via: 'api' } }])
  return true
}
