/**
 * Filters reports about erased customers (docs/decisions/retention.md): repeated reports, and reports
 * that arrived before the erasure and are applied after it, must not create these contacts again.
 */
import { later, MINUTE_MS } from '../../../../../core/clock.ts'
import type { Unit } from '../../../../../core/context.ts'
import { identifiersIn } from '../../../../../operator/identifiers.ts'
import type { Report } from '../../../../../operator/port.ts'
import { type ErasedId, type Identifier, listErasedIds } from '../queries/erased-ids.ts'
import type { UnreadUpdate } from '../queries/updates.ts'
import type { UpdateItem } from './update-items.ts'

/** An update that is kept as received. */
type Kept = Pick<UnreadUpdate, 'workspaceId' | 'id' | 'body' | 'receivedAt'>
type Reported<Update extends Kept> = { items: UpdateItem[]; unread: Update[] }
/**
 * The people and messages that a report names, and its time, if the time distinguishes it from a repetition.
 */
type Named = { workspaceId: string; id: string; people: string[]; messages: string[]; at: Date }

/** The allowed difference between clocks. */
const MARGIN_MS = MINUTE_MS

/**
 * Returns the reports without those about customers who were erased since; `erasing`: the workspaces to
 * check.
 */
export async function withoutErased<Update extends Kept>(
  unit: Unit,
  { items, unread }: Reported<Update>,
  erasing: Set<string>,
): Promise<Reported<Update>> {
  const namesByItem = new Map<object, Named>()
  for (const item of items) {
    const names = erasing.has(item.ctx.workspace.id) ? namesOf(item.report) : undefined
    if (names) namesByItem.set(item, { ...names, workspaceId: item.ctx.workspace.id, id: item.id })
  }
  for (const update of unread)
    if (erasing.has(update.workspaceId)) namesByItem.set(update, namesOfUnread(update))
  const identifiers = [...namesByItem.values()].flatMap(({ workspaceId, people, messages }): Identifier[] =>
    [...people, ...messages].map((name) => ({ workspaceId, name })),
  )
  if (identifiers.length === 0) return { items, unread }
  const erased = new Map((await listErasedIds(unit, identifiers)).map((row) => [keyOf(row), row]))
  const isLeft = (item: object): boolean => {
    const named = namesByItem.get(item)
    return named === undefined || !isErased(named, erased)
  }
  return { items: items.filter(isLeft), unread: unread.filter(isLeft) }
}

/** Returns whether an update that arrived earlier names a customer who was erased since. */
export async function namesErasedPeople(unit: Unit, update: Kept): Promise<boolean> {
  const { unread } = await withoutErased(unit, { items: [], unread: [update] }, new Set([update.workspaceId]))
  return unread.length === 0
}

const keyOf = ({ workspaceId, name }: Identifier): string => `${workspaceId} ${name}`

function isErased({ workspaceId, id, people, messages, at }: Named, erased: Map<string, ErasedId>): boolean {
  const find = (name: string) => erased.get(keyOf({ workspaceId, name }))
  return (
    messages.some((name) => find(name)?.isPerson === false) ||
    people.some((name) => {
      const erasure = find(name)
      return erasure?.isPerson === true && (id < erasure.erasureId || at <= erasure.erasedAt)
    })
  )
}

/**
 * Returns the identifiers in a report. Everything before the erasure is part of it, whenever it is reported.
 * Messages, edits and calls are also matched by id, so that nothing written just after the erasure is
 * dropped.
 */
function namesOf(report: Report): Pick<Named, 'people' | 'messages' | 'at'> | undefined {
  switch (report.kind) {
    case 'inbound':
    case 'echo':
    case 'past':
      return { people: peopleOf(report), messages: [report.chanmid], at: wellAfter(report.at) }
    case 'change':
      return { people: report.people, messages: [report.chanmid, report.of], at: wellAfter(report.at) }
    case 'call':
      return { people: peopleOf(report), messages: [report.callId], at: wellAfter(report.at) }
    case 'preference':
      return { people: peopleOf(report), messages: [], at: report.at }
    case 'address_book':
      return { people: [report.phone.slice(1)], messages: [], at: report.at }
    case 'past_file':
      return {
        people: report.customer ? peopleOf(report.customer) : [],
        messages: [report.chanmid],
        at: wellAfter(report.at),
      }
    case 'group':
    case 'history':
    case 'identity':
    case 'number':
    case 'payment':
    case 'payment_configuration':
    case 'receipt':
    case 'template_category':
    case 'template_components':
    case 'template_quality':
    case 'template_status':
    case 'unrecognized':
      return undefined
  }
}

const wellAfter = (time: Date): Date => later(time, MARGIN_MS)

const peopleOf = ({ phone, userId }: { phone: string | null; userId: string | null }): string[] =>
  [phone?.slice(1) ?? null, userId].filter((name) => name !== null)

function namesOfUnread({ workspaceId, id, body, receivedAt }: Kept): Named {
  const names = identifiersIn(body.value)
  const time = body.at === undefined ? receivedAt : new Date(body.at)
  return { workspaceId, id, people: names, messages: names, at: time }
}
