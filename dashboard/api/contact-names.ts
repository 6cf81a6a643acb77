/** What contacts go by, for lists that hold their ids alone. */
import { call } from './request.ts'

/** By id: the name, else the number or the user id; those that are gone are left out. `ids` are those of one page. */
export async function readContactNames(ids: readonly (string | null)[]): Promise<Map<string, string>> {
  const known = [...new Set(ids.filter((id) => id !== null))]
  if (known.length === 0) return new Map()
  const { contacts } = await call('GET /contacts', { query: { ids: known.join(','), limit: known.length } })
  return new Map(
    contacts.flatMap(({ id, displayName, phone, userId }) => {
      const name = displayName ?? phone ?? userId
      return name === null ? [] : [[id, name] as const]
    }),
  )
}
