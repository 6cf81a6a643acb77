/**
 * Captures leads from the API, the capture link, and imports, many in one transaction (spec 3, 4.5). A known
 * number is never duplicated: the contact's row is locked first, so concurrent duplicates create one lead.
 */
import { beforeCommit, type Context, type Unit } from '../../../../core/context.ts'
import { Refusal } from '../../../../core/errors.ts'
import { contactLimitReached } from '../../../messaging/contacts/operations/contact-room.ts'
import {
  assumeNoneStored,
  type Found,
  findOrCreateContacts,
  readStoredContacts,
  type StoredSnapshot,
} from '../../../messaging/contacts/operations/find-or-create.ts'
import { beginContact } from '../../../messaging/contacts/operations/new-contact.ts'
import { settledPhones, settleNumbers } from '../../../messaging/contacts/operations/settle-numbers.ts'
import { findConversationsOfContacts } from '../../../messaging/conversations/operations/find-contact-conversations.ts'
import {
  countCaptures,
  insertLeadRows,
  type LeadRow,
  listLeadsByContactForUpdate,
  updateAttributes,
} from '../queries/leads.ts'
import { insertTimelineRows, type TimelineRow } from '../queries/timeline.ts'
import type { NewLead } from '../schema.ts'
import {
  announce,
  type CaptureItem,
  entriesOf,
  newLeadRow,
  type Person,
  type Prepared,
  prepare,
} from './arriving-lead.ts'
import { assignOwners } from './assign-owners.ts'
import { knowsStage } from './pipeline.ts'
import type { LeadWords } from './present-lead.ts'
import { readWords, type WorkspaceWords } from './read-words.ts'
import { recapturedLead } from './recaptured-lead.ts'

export type { CaptureItem } from './arriving-lead.ts'

export type Captured = {
  lead: LeadRow
  created: boolean
  words: LeadWords
  conversationId: string | null
}

/**
 * Data read before it is decided which captures are accepted. Nothing is locked. `alone`: see
 * `findOrCreateContacts`.
 */
type ReadAhead = {
  words: Map<string, WorkspaceWords>
  sight: StoredSnapshot
  numbers: Numbers
  alone?: boolean
}

/** The settled number of each text; undefined: not a number. */
type Numbers = Map<string, string | undefined>

/** The contact of a capture. A contact that was just created has neither lead nor conversation. */
type CaptureEntry = { item: Prepared; contact: Person; known: boolean }

/**
 * Captures leads. Returns one result per item, in order. Refusals: `invalid`, `plan_limit_reached` for a new
 * person past the limit.
 */
export async function captureLeads(items: CaptureItem[]): Promise<(Captured | Refusal)[]> {
  const capture = await beginCaptures(items)
  return capture(items)
}

/**
 * Captures leads in two steps. The first reads, in one round trip. It returns a function that captures the
 * items passed to it.
 */
export async function beginCaptures(
  items: CaptureItem[],
): Promise<(items: CaptureItem[]) => Promise<(Captured | Refusal)[]>> {
  const unit = items[0]!.ctx
  const numbers = await numbersOf(unit, items)
  const keys = items.flatMap((item) => {
    const { workspace } = item.ctx
    const phone = numbers.get(numberInputKey(item))
    return phone === undefined ? [] : [{ workspace, phone }]
  })
  const [words, existingContacts] = await Promise.all([wordsOf(unit, items), readStoredContacts(unit, keys)])
  return (newItems) => captureItems(newItems, { words, sight: existingContacts, numbers })
}

async function numbersOf(unit: Unit, items: CaptureItem[]): Promise<Numbers> {
  const settledNumbers = await settleNumbers(unit, items.map(numberInputOf))
  return new Map(items.map((item, i) => [numberInputKey(item), settledNumbers[i]?.phone]))
}

type NumberSource = { ctx: Pick<Context, 'workspace'>; body: NewLead; country?: string | null }

const numberInputOf = ({ ctx: { workspace }, body, country }: NumberSource) => ({
  workspace,
  text: body.phone,
  country,
})

const numberInputKey = ({ ctx, body, country }: NumberSource): string =>
  [ctx.workspace.id, country ?? '', body.phone].join('\n')

/** Returns the numbers of the items; undefined if stored contacts decide what a text means. */
export function numbersWithoutRead(items: NumberSource[]): Numbers | undefined {
  const phones = settledPhones(items.map(numberInputOf))
  return phones && new Map(items.map((item, i) => [numberInputKey(item), phones[i]]))
}

/**
 * Captures leads without a read. Assumes that all persons are new, that there is room for them, and that the
 * remembered names are current. Its statements fail, and with them the transaction, if that is wrong.
 */
export async function captureNewLeads(
  items: CaptureItem[],
  numbers: Numbers,
): Promise<(Captured | Refusal)[]> {
  const unit = items[0]!.ctx
  const existingContacts = assumeNoneStored(
    unit,
    items.map((item) => item.ctx.workspace),
  )
  const words = await wordsOf(unit, items, { assumed: true })
  return captureItems(items, { words, sight: existingContacts, numbers, alone: false })
}

async function captureItems(items: CaptureItem[], ahead: ReadAhead): Promise<(Captured | Refusal)[]> {
  const unit = items[0]!.ctx
  const prepared = items.map((item) =>
    prepare(item, ahead.words.get(item.ctx.workspace.id)!, ahead.numbers.get(numberInputKey(item))),
  )
  const open = prepared.filter((item): item is Prepared => !(item instanceof Refusal))
  const found = open.length === 0 ? [] : await findOrCreateContacts(unit, open.map(wantedContact), ahead)
  const createdIds = new Set(
    (found as Found[]).flatMap((outcome) =>
      outcome !== 'full' && outcome.created ? [outcome.contact.id] : [],
    ),
  )
  const accepted = open.flatMap((item, i): CaptureEntry[] => {
    const answer = found[i] as Found
    if (answer === 'full') return []
    return [{ item, contact: answer.contact, known: !createdIds.has(answer.contact.id) }]
  })
  const capturedByItem = await capture(unit, accepted)
  return prepared.map((item) =>
    item instanceof Refusal ? item : (capturedByItem.get(item) ?? contactLimitReached(item.ctx.workspace)),
  )
}

const wordsOf = (
  unit: Unit,
  items: CaptureItem[],
  options?: { assumed: boolean },
): Promise<Map<string, WorkspaceWords>> =>
  readWords(
    unit,
    items.map((item) => item.ctx.workspace),
    items[0]!.ctx.now,
    options,
  )

const wantedContact = ({ ctx, e164, body }: Prepared) => ({
  ctx,
  fresh: { ...beginContact(ctx, e164, null), displayName: body.name ?? null },
})

/**
 * Reads the pipelines and teams again if a lead has moved to a stage that was created after the first read.
 */
async function refreshWords(unit: Unit, accepted: CaptureEntry[], leads: LeadRow[]): Promise<void> {
  const pipelines = new Map(accepted.map(({ item }) => [item.ctx.workspace.id, item.words.pipeline]))
  if (leads.every((lead) => knowsStage(pipelines.get(lead.workspaceId)!, lead.stageId))) return
  const items = accepted.map(({ item }) => item)
  const words = await wordsOf(unit, items)
  for (const item of items) item.words = words.get(item.ctx.workspace.id)!
}

async function capture(unit: Unit, items: CaptureEntry[]): Promise<Map<Prepared, Captured>> {
  if (items.length === 0) return new Map()
  const keys = items
    .filter((item) => item.known)
    .map(({ item, contact }) => ({ workspaceId: item.ctx.workspace.id, contactId: contact.id }))
  const [leads, conversations] = await Promise.all([
    keys.length === 0 ? [] : listLeadsByContactForUpdate(unit.tx, keys),
    findConversationsOfContacts(unit, keys),
  ])
  await refreshWords(unit, items, leads)
  const byContact = new Map(leads.map((lead) => [lead.contactId, lead]))
  const knownContacts = new Set(byContact.keys())
  const met = new Set(knownContacts)
  const newItems = items.filter(({ contact: { id } }) => !met.has(id) && met.add(id))
  const owners = await assignOwners(
    unit,
    newItems.map(({ item }) => item),
  )
  const capturedByItem = new Map<Prepared, Captured>()
  const timeline: TimelineRow[] = []
  const insertedLeads: LeadRow[] = []
  const recaptured = new Map<string, LeadRow>()
  const filledLeads = new Map<string, LeadRow>()
  for (const { item, contact } of items) {
    const before = byContact.get(contact.id)
    const lead = before
      ? recapturedLead(before, item.asked ?? {}, item.ctx.now)
      : newLeadRow(item, contact, owners)
    if (before && lead.attributes !== before.attributes) filledLeads.set(lead.id, lead)
    byContact.set(contact.id, lead)
    if (!before) insertedLeads.push(lead)
    else recaptured.set(lead.id, lead)
    const conversationId = conversations.get(contact.id) ?? null
    capturedByItem.set(item, { lead, created: !before, words: item.words, conversationId })
    timeline.push(...entriesOf(item, lead, !before, owners))
    announce(item, lead, !before, owners)
  }
  // Of duplicates in one batch, the row is inserted in its state after the last duplicate.
  const rows = insertedLeads.map((lead) => byContact.get(lead.contactId)!)
  const countedLeads = [...recaptured.values()].filter((lead) => knownContacts.has(lead.contactId))
  if (rows.length > 0) beforeCommit(unit, insertLeadRows(unit.tx, rows))
  if (countedLeads.length > 0) beforeCommit(unit, countCaptures(unit.tx, countedLeads))
  const extendedLeads = countedLeads.filter(({ id }) => filledLeads.has(id))
  if (extendedLeads.length > 0) beforeCommit(unit, updateAttributes(unit.tx, extendedLeads))
  beforeCommit(unit, insertTimelineRows(unit.tx, timeline))
  return capturedByItem
}
