/** The rights to see, subscribe to and manage endpoints and events (spec 4.8, 5.4). */
import type { Actor } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import type { EventKind } from '../../../../core/event.ts'

/** The event that `POST /webhooks/{id}/test` sends; no endpoint can subscribe to it. */
export const TEST_EVENT = 'webhook.test'

export type Rights = {
  keyId: string | null
  admin: boolean
  /** Null: all scopes of the role. */
  scopes: readonly string[] | null
  /** An admin without scopes: sees all addresses, subscribes to all events. */
  full: boolean
}

export function rightsOf(actor: Actor): Rights {
  if (actor.kind === 'platform') return { keyId: null, admin: true, scopes: null, full: true }
  const admin = actor.role === 'admin'
  if (actor.kind === 'member') return { keyId: null, admin, scopes: null, full: admin }
  return { keyId: actor.keyId, admin, scopes: actor.scopes, full: admin && actor.scopes === null }
}

/**
 * Returns whether the caller may read the event: only admins read invoice and quotation events, and scopes
 * decide about the others.
 */
export const mayRead = (rights: Rights, kind: EventKind): boolean =>
  (rights.admin || !kind.adminOnly) && (rights.scopes === null || rights.scopes.includes(kind.scope))

/** Refuses an event that the key may not read, and names the missing right. */
export function requireReadable(rights: Rights, kind: EventKind): void {
  if (mayRead(rights, kind)) return
  if (kind.adminOnly && !rights.admin)
    refuse('forbidden', `${kind.name} requires an admin key. Use one.`, { required: 'admin' })
  refuse(
    'insufficient_scope',
    `${kind.name} requires the scope ${kind.scope}, which this key doesn't have. Use a key that has it.`,
    {
      required: kind.scope,
    },
  )
}

/** Returns whether the calling key registered the endpoint. */
export const isOwn = (rights: Rights, endpoint: { keyId: string | null }): boolean =>
  rights.keyId !== null && rights.keyId === endpoint.keyId

/** Below admin, a key manages only endpoints that it registered; others are answered like missing ones. */
export const mayManage = (rights: Rights, endpoint: { keyId: string | null }): boolean =>
  rights.admin || isOwn(rights, endpoint)

/** Returns the address that the key may see: complete, or only scheme and host. */
export const shownUrl = (rights: Rights, endpoint: { keyId: string | null }, url: string): string =>
  rights.full || isOwn(rights, endpoint) ? url : new URL(url).origin
