/** Makes the addresses of requests. */
import { ParleyError } from './errors.ts'

/** Values that a path cannot contain: the runtime would request another path. */
const NOT_AN_ID = ['', '.', '..', 'undefined', 'null']

/** Returns a path with encoded ids: path`/leads/${id}/notes`. */
export function path(texts: TemplateStringsArray, ...ids: string[]): string {
  return texts.reduce((whole, text, i) => {
    const id = String(ids[i - 1])
    if (NOT_AN_ID.includes(id)) throw new ParleyError(`The id of the path must not be \`${id}\`.`)
    return `${whole}${encodeURIComponent(id)}${text}`
  })
}

/** Returns the query of an address; fields that are undefined or null are left out. */
export function queryOf(query: object = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) search.set(name, String(value))
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}

/** Returns the base of all addresses from the address of the installation. */
export const baseOf = (url: string): string => `${url.replace(/(\/api\/v1)?\/*$/, '')}/api/v1`
