/** Reads and writes the view of contacts, which is in the address. */
import type { Api, Contact } from '../../sdk/api.ts'

export type Consent = Contact['optInStatus']
export const CONSENTS: readonly Consent[] = ['unknown', 'opted_in', 'opted_out']
export type ContactsView = { search: string; tag: string; consent: Consent | undefined }
export type ContactFilter = Pick<Api['GET /contacts']['query'], 'search' | 'tag' | 'optInStatus'>

const toText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

/** Reads the view from an address, and ignores values it does not know. */
export const readView = ({ search, tag, consent }: Record<string, unknown>): ContactsView => ({
  search: toText(search),
  tag: toText(tag),
  consent: CONSENTS.find((candidate) => candidate === consent),
})

/** Returns the view for an address: without default values. */
export const searchOf = ({ search, tag, consent }: ContactsView) => ({
  ...(search && { search }),
  ...(tag && { tag }),
  ...(consent && { consent }),
})

export const filterOf = ({ search, tag, consent }: ContactsView): ContactFilter => ({
  search: search.trim() || undefined,
  tag: tag || undefined,
  optInStatus: consent,
})

export const isNarrowed = ({ search, tag, consent }: ContactsView): boolean =>
  search.trim() !== '' || tag !== '' || consent !== undefined
