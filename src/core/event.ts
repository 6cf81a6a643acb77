import type { z } from 'zod'
import type { Context, Unit } from './context.ts'
import { newId } from './ids.ts'
import type { Scope } from './scopes.ts'

/** An event kind: its name, its occasion, the keys that may read it, and the fields of its `data` (spec 6.3). */
export type EventKind<Data extends z.ZodObject = z.ZodObject> = {
  name: string
  /** When the event fires, as the documentation says it. */
  when: string
  /** The scope that a narrowed key needs to read it. */
  scope: Scope
  /** Only admin keys may read it: invoice and quotation events (spec 4.8). */
  adminOnly?: true
  /** Keeps its data when its contact is erased, because receivers learn from it whom to erase. */
  outlivesErasure?: true
  data: Data
  example: z.input<Data>
  /**
   * Returns the ids that the event changes, by kind, for screens that show them (docs/decisions/dashboard-pages.md). A retracted
   * event may lack some of them.
   */
  touches(data: z.output<Data>): Touched
}

/** The kinds of objects that a screen shows and reads again after a change. */
const TOUCHED_KINDS = [
  'conversation',
  'message',
  'contact',
  'lead',
  'task',
  'template',
  'broadcast',
  'segment',
  'tag',
  'contactField',
  'quickReply',
  'macro',
  'team',
  'flow',
  'pipeline',
  'view',
  'submission',
  'webhook',
  'paymentRequest',
  'salesDocument',
  'booking',
  'review',
  'order',
  'integration',
  'bookingSetup',
  'socialConversation',
  'socialComment',
  'socialPost',
  'notification',
  'draft',
  'import',
  'member',
  'number',
  'businessHours',
  'autoReply',
  'bot',
  'automation',
  'workspace',
] as const
export type TouchedKind = (typeof TOUCHED_KINDS)[number]

/** Our ids by kind. */
export type Touched = { [Kind in TouchedKind]?: string | null | undefined | readonly string[] }

/**
 * Name of a change that has no event of its own. It is in the event log for open screens, but is never listed, delivered, or
 * subscribed to (docs/decisions/dashboard-pages.md).
 */
export const SCREEN_CHANGED = 'screen.changed'
/** Maximum ids of a kind in one `screen.changed` entry or stream frame; beyond it the entry says `many`. */
export const MAX_TOUCHED_IDS = 500

type ScreenChange = PendingEvent & { data: { touched: { [Kind in TouchedKind]?: string[] | 'many' } } }
const isChangeOf =
  (workspaceId: string) =>
  (event: PendingEvent): event is ScreenChange =>
    event.name === SCREEN_CHANGED && event.workspaceId === workspaceId

/** Records that the objects with these ids changed, in the transaction that changes them. */
export function touch(ctx: Pick<Context, 'outbox' | 'workspace' | 'now'>, touched: Touched): void {
  let change = ctx.outbox.find(isChangeOf(ctx.workspace.id))
  if (!change) {
    change = {
      id: newId(),
      workspaceId: ctx.workspace.id,
      name: SCREEN_CHANGED,
      data: { touched: {} },
      createdAt: ctx.now,
      contactId: null,
    }
    ctx.outbox.push(change)
  }
  const touchedByKind = change.data.touched
  for (const [kind, ids] of Object.entries(touched) as [TouchedKind, Touched[TouchedKind]][]) {
    const existing = touchedByKind[kind]
    if (!ids || existing === 'many') continue
    const merged = [...new Set([...(existing ?? []), ...(typeof ids === 'string' ? [ids] : ids)])]
    if (merged.length > 0) touchedByKind[kind] = merged.length > MAX_TOUCHED_IDS ? 'many' : merged
  }
}

/** Declares an event kind. */
export const event = <Data extends z.ZodObject>(kind: EventKind<Data>): EventKind<Data> => kind

/** An event that waits to be written to the event log with its fact. */
export type PendingEvent = {
  id: string
  workspaceId: string
  name: string
  data: unknown
  createdAt: Date
  contactId: string | null
  /** A test event for developers of receivers; it triggers nothing else. */
  madeUp?: true
  /** An import caused the event. */
  imported?: true
  /** The automations that led to it. */
  causes?: readonly string[]
}

/**
 * Announces a fact in the transaction that writes it, so that a crash loses both or neither. `data` is checked against the
 * kind; `subject` names the contact whose erasure removes the personal data.
 */
export function emit<Data extends z.ZodObject>(
  ctx: Context,
  kind: EventKind<Data>,
  data: z.input<Data>,
  subject: { contactId?: string | null } = {},
): string {
  const id = newId()
  ctx.outbox.push({
    id,
    workspaceId: ctx.workspace.id,
    name: kind.name,
    data: kind.data.parse(data),
    createdAt: ctx.now,
    contactId: subject.contactId ?? null,
    ...(ctx.via === 'import' ? { imported: true } : {}),
    ...(ctx.cause ? { causes: ctx.cause.chain } : {}),
  })
  return id
}

/**
 * Events that lose all data except our ids: those of a contact, or those of `kinds` that contain one of the contact's messages.
 */
export type Retraction = {
  workspaceId: string
  contactId: string
  message: { id: string; kinds: readonly EventKind[] } | null
}

/**
 * Removes the personal data of an erased contact, or of a message that its writer deleted, from the event log, in the caller's
 * transaction. Events keep only our ids, also in waiting deliveries; the receivers' answers to them are deleted.
 */
export const retract = (unit: Pick<Unit, 'retractions'>, retraction: Retraction): void => {
  unit.retractions.push(retraction)
}
