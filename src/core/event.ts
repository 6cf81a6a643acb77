import type { z } from 'zod'
import type { Context, Unit } from './context.ts'
import { newId } from './ids.ts'
import type { Scope } from './scopes.ts'

/** An event kind: its name, when it fires, who may read it, what its `data` holds (spec 6.3). */
export type EventKind<Data extends z.ZodObject = z.ZodObject> = {
  name: string
  /** When it fires, in the words of the documentation. */
  when: string
  /** The scope that a narrowed key needs to read it. */
  scope: Scope
  /** Invoice and quotation events: only admin keys may read them (spec 4.8). */
  adminOnly?: true
  /** Stays as it is when its contact is erased: it shows receivers whom to erase. */
  outlivesErasure?: true
  data: Data
  example: z.input<Data>
  /** The ids that it changes, by kind; for who shows them (docs/decisions/dashboard-pages.md). Of a retracted event some are not there any more. */
  touches(data: z.output<Data>): Touched
}

/** What a screen shows and reads again when it changed. */
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

/** Ids of ours by kind. */
export type Touched = { [Kind in TouchedKind]?: string | null | undefined | readonly string[] }

/**
 * What changed and has no event of its own: it stands in the log for those who show it, and is never listed, delivered or
 * subscribed to (docs/decisions/dashboard-pages.md).
 */
export const SCREEN_CHANGED = 'screen.changed'
/** Ids of a kind that one such entry, or one frame of a stream, names; more are said as that there are many. */
export const MAX_TOUCHED_IDS = 500

type ScreenChange = PendingEvent & { data: { touched: { [Kind in TouchedKind]?: string[] | 'many' } } }
const isChangeOf =
  (workspaceId: string) =>
  (event: PendingEvent): event is ScreenChange =>
    event.name === SCREEN_CHANGED && event.workspaceId === workspaceId

/** Says that what these ids name has changed, in the transaction that changes it. */
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
  const all = change.data.touched
  for (const [kind, ids] of Object.entries(touched) as [TouchedKind, Touched[TouchedKind]][]) {
    const known = all[kind]
    if (!ids || known === 'many') continue
    const named = [...new Set([...(known ?? []), ...(typeof ids === 'string' ? [ids] : ids)])]
    if (named.length > 0) all[kind] = named.length > MAX_TOUCHED_IDS ? 'many' : named
  }
}

/** Declares an event kind. */
export const event = <Data extends z.ZodObject>(kind: EventKind<Data>): EventKind<Data> => kind

/** An event on its way into the log with the fact it is about. */
export type PendingEvent = {
  id: string
  workspaceId: string
  name: string
  data: unknown
  createdAt: Date
  contactId: string | null
  /** Made up for who builds a receiver: nothing follows from it. */
  madeUp?: true
  /** An import did it. */
  imported?: true
  /** The automations that led to it. */
  causes?: readonly string[]
}

/**
 * Announces a fact in the transaction that writes it: a crash can lose neither, and never keeps
 * one without the other. `data` is checked against the kind; `about` names the contact whose
 * erasure strips it.
 */
export function emit<Data extends z.ZodObject>(
  ctx: Context,
  kind: EventKind<Data>,
  data: z.input<Data>,
  about: { contactId?: string | null } = {},
): string {
  const id = newId()
  ctx.outbox.push({
    id,
    workspaceId: ctx.workspace.id,
    name: kind.name,
    data: kind.data.parse(data),
    createdAt: ctx.now,
    contactId: about.contactId ?? null,
    ...(ctx.via === 'import' ? { imported: true } : {}),
    ...(ctx.cause ? { causes: ctx.cause.chain } : {}),
  })
  return id
}

/** Events that lose all but our ids: those of a contact, or those of `kinds` that carry one of their messages. */
export type Retraction = {
  workspaceId: string
  contactId: string
  message: { id: string; kinds: readonly EventKind[] } | null
}

/**
 * Takes back what the log holds of a contact who is erased, or of a message that its writer deleted, in the caller's
 * transaction: the events keep our ids alone, in deliveries that still wait too, and what receivers answered to them goes.
 */
export const retract = (unit: Pick<Unit, 'retractions'>, retraction: Retraction): void => {
  unit.retractions.push(retraction)
}
