/** The field `user_id_update`: customers whose chat-network user id changed (docs/formats.md section 11). */
import { idOrNull, isObject, objectsIn } from '../../../core/values/storable.ts'
import type { Report } from '../../report.ts'
import { type Json, readPhone, readTime, unrecognized, type ValueSource } from './webhook-value.ts'

export const readUserIds = (value: Json, source: ValueSource): Report[] =>
  objectsIn(value.user_id_update).map((update) => {
    const ids = isObject(update.user_id) ? update.user_id : {}
    const previous = idOrNull(ids.previous)
    const current = idOrNull(ids.current)
    const phone = readPhone(update.wa_id)
    const time = readTime(update.timestamp) ?? source.at
    if (current === null || (previous === null && phone === null)) return unrecognized('user_id_update')
    return {
      kind: 'identity',
      from: { phone, userId: previous },
      to: { phone: null, userId: current },
      at: time,
    }
  })
