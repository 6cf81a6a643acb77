/** Reads the names of contacts, for lists with only their IDs. */
import { call } from './request.ts'

/**
 * Returns by ID the name, otherwise the number or the user ID; deleted contacts are left out. `ids` are those
 * of one page.
 */
export async function readContactNames(ids: readonly (string | null)[]): Promise<Map<string, string>> {
  const contactIds = [...new Set(ids.filter((id) => id !== null))]
  if (contactIds.length === 0) return new Map()
  const { contacts } = await call('GET /contacts', {
    query: { ids: contactIds.join(','), limit: contactIds.length },
  })
  return new Map(
    contacts.flatMap(({ id, displayName, phone, userId }) => {
      const name = displayName ?? phone ?? userId
      return name === null ? [] : [[id, name] as const]
    }),
  )
}
