/** The field `smb_app_state_sync`: the address book of the phone app (docs/formats.md section 10). */
import { isObject, objectsIn, textOrNull } from '../../../core/values/storable.ts'
import type { Report } from '../../report.ts'
import { type Json, readPhone, readTime, unrecognized, type ValueSource } from './webhook-value.ts'

export function readAddressBook(value: Json, source: ValueSource): Report[] {
  return objectsIn(value.state_sync).map((entry): Report => {
    const contact = isObject(entry.contact) ? entry.contact : {}
    const phone = readPhone(contact.phone_number)
    const isKnown = entry.action === 'add' || entry.action === 'edit' || entry.action === 'remove'
    if (phone === null || !isKnown || (entry.type !== undefined && entry.type !== 'contact'))
      return unrecognized('smb_app_state_sync')
    const metadata = isObject(entry.metadata) ? entry.metadata : {}
    return {
      kind: 'address_book',
      phone,
      name: nameIn(contact.full_name) ?? nameIn(contact.first_name),
      isRemoved: entry.action === 'remove',
      at: readTime(metadata.timestamp) ?? source.at,
    }
  })
}

/** The longest name of a contact. */
const MAX_NAME = 200

function nameIn(value: unknown): string | null {
  const name = textOrNull(value)?.trim().slice(0, MAX_NAME).toWellFormed().trim() ?? ''
  return name === '' ? null : name
}
