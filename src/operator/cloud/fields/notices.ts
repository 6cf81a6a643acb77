import { idOrNull, isObject, textOrNull } from '../../../core/values/storable.ts'
import type { Report } from '../../report.ts'
import { type Json, readPhone, unrecognized } from './webhook-value.ts'

const changes = new Set<unknown>(['user_changed_number', 'user_changed_user_id'])

/**
 * Reads a notice about a customer that arrives as a message of type `system`: a new number or a new user id.
 * Others, such as a changed security code, are ignored (docs/formats.md sections 8 and 11).
 */
export function readNotice(message: Json, time: Date): Report {
  const system = isObject(message.system) ? message.system : {}
  if (!changes.has(system.type))
    return unrecognized(`messages.system.${textOrNull(system.type) ?? 'unknown'}`)
  const from = { phone: readPhone(message.from), userId: idOrNull(message.from_user_id) }
  const to = { phone: readPhone(system.wa_id), userId: idOrNull(system.user_id) }
  return isChange(from, to) ? { kind: 'identity', from, to, at: time } : unrecognized('messages.system')
}

type Identity = { phone: string | null; userId: string | null }

/** Returns whether the notice names both the old and the new identity. */
export const isChange = (from: Identity, to: Identity): boolean =>
  (from.phone !== null || from.userId !== null) && (to.phone !== null || to.userId !== null)
