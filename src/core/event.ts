import type { z } from 'zod'
import type { Context } from './context.ts'
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
  data: Data
  example: z.input<Data>
}

/** Declares an event kind. */
export const event = <Data extends z.ZodObject>(kind: EventKind<Data>): EventKind<Data> => kind

/** An event on its way into the log with the fact it tells of. */
export type PendingEvent = {
  id: string
  workspaceId: string
  name: string
  data: unknown
  createdAt: Date
  contactId: string | null
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
  })
  return id
}
