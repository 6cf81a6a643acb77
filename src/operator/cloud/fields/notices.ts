import { idOrNull, isObject, textOrNull } from '../../../core/storable.ts'
import type { Report } from '../../report.ts'
import { type Json, readPhone, unrecognised } from './webhook-value.ts'

const changes = new Set<unknown>(['user_changed_number', 'user_changed_user_id'])

/**
 * A notice about a customer that arrives as a message of type `system` although they wrote nothing: a new number or
 * a new user id. Others, such as a changed security code, are not acted on. (docs/formats.md sections 8 and 11)
 */
export function readNotice(message: Json, at: Date): Report {
  const system = isObject(message.system) ? message.system : {}
  if (!changes.has(system.type))
    return unrecognised(`messages.system.${textOrNull(system.type) ?? 'unknown'}`)
  const from = { phone: readPhone(message.from), userId: idOrNull(message.from_user_id) }
  const to = { phone: readPhone(system.wa_id), userId: idOrNull(system.user_id) }
  return isChange(from, to) ? { kind: 'identity', from, to, at } : unrecognised('messages.system')
}

type Identity = { phone: string | null; userId: string | null }

/** Whether it says both who it was and who it is now. */
export const isChange = (from: Identity, to: Identity): boolean =>
  (from.phone !== null || from.userId !== null) && (to.phone !== null || to.userId !== null)
