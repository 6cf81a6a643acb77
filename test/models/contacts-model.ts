/**
 * The model of contacts, without a database: spec 2.6, 3, 4.4, and 6.3, and the decisions on consent,
 * attributes, and search.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Body } from '../support/boot.ts'

export type OptIn = 'unknown' | 'opted_in' | 'opted_out'

export type Patch = {
  displayName?: string | null
  tags?: string[]
  attributes?: Record<string, unknown>
  optInStatus?: OptIn
  optInSource?: string | null
}

export type Known = {
  id: string
  /** E.164, or `chan:<user id>`. */
  key: string
  username: string | null
  /** The name that a teammate or caller set. */
  name: string | null
  /** The customer's name on the chat network. */
  profileName: string | null
  tags: string[]
  attributes: Record<string, unknown>
  optInStatus: OptIn
  optInSource: string | null
  /** The customer opted out, and only the customer can undo that (spec 2.6). */
  refused: boolean
  /** True if the chat's 24-hour window is open. */
  open: boolean
}

/** An expected event; after an erasure, it contains only IDs. */
export type Reported = { event: string; contact: Known; data?: Body; erased?: true }

export type ContactsModel = {
  /** In order of creation. */
  contacts: Known[]
  reported: Reported[]
  max: number
}

/** The expected answer: the resulting contact, or the code of a refusal. */
export type Outcome =
  | { status: 200 | 201; contact: Known; changed: string[] }
  | { status: 400 | 402 | 404 | 409; error: string }

export const find = (model: ContactsModel, key: string): Known | undefined =>
  model.contacts.find((contact) => contact.key === key)

export const beginKnown = (key: string): Known => ({
  id: '',
  key,
  username: null,
  name: null,
  profileName: null,
  tags: [],
  attributes: {},
  optInStatus: 'unknown',
  optInSource: null,
  refused: false,
  open: false,
})

const blankToNull = (text: string | null): string | null =>
  text === null || text.trim() === '' ? null : text

/** Returns the contact with `patch` applied (spec 4.4); undefined if the customer's opt-out forbids it. */
function applyPatch(contact: Known, patch: Patch): Known | undefined {
  if (contact.refused && patch.optInStatus !== undefined && patch.optInStatus !== 'opted_out')
    return undefined
  const attributes = { ...contact.attributes }
  for (const [key, value] of Object.entries(patch.attributes ?? {}))
    if (value === null) delete attributes[key]
    else attributes[key] = value
  return {
    ...contact,
    attributes,
    name: patch.displayName === undefined ? contact.name : blankToNull(patch.displayName),
    tags: patch.tags === undefined ? contact.tags : [...new Set(patch.tags.map((tag) => tag.trim()))],
    optInStatus: patch.optInStatus ?? contact.optInStatus,
    // A customer's own opt-out keeps its proof.
    optInSource:
      patch.optInSource === undefined || contact.refused
        ? contact.optInSource
        : blankToNull(patch.optInSource),
  }
}

const FIELDS = [
  ['displayName', 'name'],
  ['tags', 'tags'],
  ['attributes', 'attributes'],
  ['optInStatus', 'optInStatus'],
  ['optInSource', 'optInSource'],
] as const

export function patch(model: ContactsModel, key: string, change: Patch): Outcome {
  const before = find(model, key)
  if (!before) return { status: 404, error: 'not_found' }
  const after = applyPatch(before, change)
  if (!after) return { status: 409, error: 'contact_opted_out' }
  const changed = FIELDS.flatMap(([field, property]) =>
    isDeepStrictEqual(before[property], after[property]) ? [] : [field],
  )
  Object.assign(before, after)
  if (changed.length > 0)
    model.reported.push({ event: 'contact.updated', contact: before, data: updateDataOf(before, changed) })
  return { status: 200, contact: before, changed }
}

const updateDataOf = (contact: Known, changed: string[]) => ({
  phone: contact.key,
  name: nameOf(contact),
  changed,
  tags: contact.tags,
  optInStatus: contact.optInStatus,
  blocked: false,
  via: 'api',
})

export function post(model: ContactsModel, key: string, body: Patch): Outcome {
  if (find(model, key)) return patch(model, key, body)
  if (model.contacts.length >= model.max) return { status: 402, error: 'plan_limit_reached' }
  const contact = applyPatch(beginKnown(key), body) as Known
  add(model, contact, 'api')
  return { status: 201, contact, changed: [] }
}

function add(model: ContactsModel, contact: Known, source: string): void {
  model.contacts.push(contact)
  const { key, username } = contact
  const data = {
    phone: key,
    name: nameOf(contact),
    ...(key.startsWith('chan:') ? { userId: key.slice(5) } : {}),
    ...(username === null ? {} : { username }),
    source,
  }
  model.reported.push({ event: 'contact.created', contact, data })
}

/**
 * Erases a contact with everything that belongs to it; its reported events keep only IDs (spec 4.4,
 * docs/decisions/retention.md).
 */
export function erase(model: ContactsModel, key: string): Outcome {
  const contact = find(model, key)
  if (!contact) return { status: 404, error: 'not_found' }
  model.contacts = model.contacts.filter((other) => other !== contact)
  for (const reported of model.reported) if (reported.contact === contact) reported.erased = true
  model.reported.push({ event: 'contact.deleted', contact, data: { phone: key, via: 'api' } })
  return { status: 200, contact, changed: [] }
}

const STRICTNESS = ['unknown', 'opted_in', 'opted_out'] as const
const strictnessOf = ({ refused, optInStatus }: Known): number =>
  refused ? 3 : STRICTNESS.indexOf(optInStatus)

/**
 * Merges two contacts (src/modules/messaging/contacts/DECISIONS.md "Merges"): keeps the first, with values
 * that it lacks from the other.
 */
export function merge(model: ContactsModel, key: string, from: string): Outcome {
  const [target, merged] = [find(model, key), find(model, from)]
  if (!target || !merged) return { status: 404, error: 'not_found' }
  if (target === merged) return { status: 400, error: 'invalid' }
  const stricter = strictnessOf(merged) > strictnessOf(target) ? merged : target
  const { optInStatus, optInSource, refused } = stricter
  const name = target.name ?? merged.name
  const attributes = { ...merged.attributes, ...target.attributes }
  // Neither contact has a chat for a note, so differing values are kept in a field.
  const noteDifference = (label: string, value: string | null, is: string | null) =>
    value === null || value === is ? [] : [`${label}: ${value}`]
  const differs = [
    ...noteDifference('Name', merged.name, name),
    ...noteDifference('Profile name', merged.profileName, target.profileName ?? merged.profileName),
    ...Object.entries(merged.attributes)
      .filter(([field, value]) => !isDeepStrictEqual(attributes[field], value))
      .map(([field, value]) => `${field}: ${typeof value === 'string' ? value : JSON.stringify(value)}`),
  ]
  const isNoted = differs.length > 0 && !target.open && !merged.open
  if (isNoted) attributes[`Merged with ${merged.key}`] = differs.join('; ')
  Object.assign(target, {
    name,
    profileName: target.profileName ?? merged.profileName,
    username: target.username ?? merged.username,
    tags: [...new Set([...target.tags, ...merged.tags])],
    attributes,
    optInStatus,
    optInSource,
    refused,
    open: target.open || merged.open,
  })
  model.contacts = model.contacts.filter((other) => other !== merged)
  const data = {
    phone: target.key,
    name: nameOf(target),
    mergedContactId: merged.id,
    mergedPhone: from,
    via: 'api',
  }
  model.reported.push({ event: 'contact.merged', contact: target, data })
  return { status: 200, contact: target, changed: [] }
}

export type Saying = { text: string; chanmid: string; name?: string; username?: string }

/**
 * Handles a customer's message (spec 3, 4.9): creates the contact regardless of the limit. STOP and START
 * count as the customer's own words.
 */
export function hear(model: ContactsModel, key: string, { text, chanmid, name, username }: Saying): Known {
  const optInSource = `message ${chanmid}`
  const existing = find(model, key)
  const contact = existing ?? beginKnown(key)
  contact.profileName = name ?? contact.profileName
  contact.username = username ?? contact.username
  if (!existing) add(model, contact, 'inbound_message')
  if (!contact.open) model.reported.push({ event: 'conversation.opened', contact })
  contact.open = true
  model.reported.push({ event: 'message.received', contact })
  if (text === 'STOP' && !contact.refused)
    Object.assign(contact, { refused: true, optInStatus: 'opted_out', optInSource })
  if (text === 'START' && contact.optInStatus === 'opted_out')
    Object.assign(contact, { refused: false, optInStatus: 'opted_in', optInSource })
  return contact
}

export const nameOf = (contact: Known): string | null => contact.name ?? contact.profileName

/**
 * Finds contacts by part of a number, name, or username (spec 4.3), ignoring case; numbers also by digits
 * alone.
 */
export function search(model: ContactsModel, text: string): Known[] {
  const query = text.trim().toLowerCase()
  const digits = /^[+\d\s().-]+$/.test(query) ? query.replace(/\D/g, '') : ''
  return model.contacts.filter(
    ({ key, name, profileName, username }) =>
      [key, name, profileName, username].some((part) => part?.toLowerCase().includes(query)) ||
      (digits !== '' && key.replace(/\D/g, '').includes(digits)),
  )
}
