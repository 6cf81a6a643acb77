/**
 * The field `smb_message_echoes`: messages that the business writes in the phone app (docs/formats.md section
 * 10).
 */
import { idOrNull, objectsIn } from '../../../core/values/storable.ts'
import type { Report } from '../../report.ts'
import { isOfGroup, ofGroup } from './groups.ts'
import { contentOf, contextOf, readChange, replyOf, typeOf } from './message-changes.ts'
import {
  contactOf,
  type Json,
  readCustomer,
  readWrittenAt,
  unrecognized,
  type ValueSource,
} from './webhook-value.ts'

export function readEchoes(value: Json, source: ValueSource): Report[] {
  const echoes = objectsIn(value.message_echoes)
  return echoes.map((echo): Report => {
    if (isOfGroup(echo)) return ofGroup('smb_message_echoes')
    const type = typeOf(echo)
    const chanmid = idOrNull(echo.id)
    const time = readWrittenAt(echo.timestamp) ?? source.at
    if (chanmid === null) return unrecognized('smb_message_echoes')
    const to = { waId: echo.to, userId: echo.to_user_id }
    const change = readChange(echo, { type, chanmid, at: time, of: to })
    if (change) return change
    const customer = readCustomer(to, contactOf(value, to, echoes.length))
    if (!customer) return unrecognized('smb_message_echoes')
    return {
      kind: 'echo',
      ...customer,
      chanmid,
      at: time,
      type,
      content: contentOf(echo, type),
      context: contextOf(echo),
      replyTo: replyOf(echo),
    }
  })
}
