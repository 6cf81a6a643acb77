import { otherSpellings } from '../../../../core/values/phone-spellings.ts'
import type { ContactKey, ContactRow } from '../queries/contacts.ts'

/** Contacts in memory, found by the same rules as in the database. */
export type ContactIndex = { byPhone: Map<string, ContactRow>; byUserId: Map<string, ContactRow> }

/** Returns a map key for a value in its workspace. */
export const place = (workspaceId: string, value: string): string => `${workspaceId} ${value}`

export function indexContacts(rows: ContactRow[]): ContactIndex {
  const index: ContactIndex = { byPhone: new Map(), byUserId: new Map() }
  for (const row of rows) indexContact(index, row)
  return index
}

export function indexContact(index: ContactIndex, row: ContactRow): void {
  index.byPhone.set(place(row.workspaceId, row.phone), row)
  if (row.userId !== null) index.byUserId.set(place(row.workspaceId, row.userId), row)
}

/** Removes a row whose phone or user id is about to change. */
export function unindexContact(index: ContactIndex, row: ContactRow): void {
  index.byPhone.delete(place(row.workspaceId, row.phone))
  if (row.userId !== null) index.byUserId.delete(place(row.workspaceId, row.userId))
}

/** Returns the contact with this user id. */
export const userIdHolder = (
  index: ContactIndex,
  workspaceId: string,
  userId: string,
): ContactRow | undefined => index.byUserId.get(place(workspaceId, userId))

/** Returns the contact with this number, or with another spelling of it. */
export function byNumber(index: ContactIndex, workspaceId: string, phone: string): ContactRow | undefined {
  const exact = index.byPhone.get(place(workspaceId, phone))
  if (exact) return exact
  for (const spelling of otherSpellings(phone)) {
    const spelled = index.byPhone.get(place(workspaceId, spelling))
    if (spelled) return spelled
  }
  return undefined
}

/** Returns the contact for a key: by phone, then by user id. */
export function lookUp(
  index: ContactIndex,
  { workspaceId, phone, userId }: ContactKey,
): ContactRow | undefined {
  const byPhone = phone === null ? undefined : byNumber(index, workspaceId, phone)
  if (byPhone || userId === null) return byPhone
  return userIdHolder(index, workspaceId, userId) ?? index.byPhone.get(place(workspaceId, `chan:${userId}`))
}
