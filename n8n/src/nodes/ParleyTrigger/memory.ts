/** The memory of the trigger between requests: its registrations, and the events that started the workflow. */
import type { IDataObject } from 'n8n-workflow'

/** A webhook endpoint at Parley. */
export type Registration = { id: string; secret: string }

type Memory = { endpoints?: Record<string, Registration>; seen?: string[] }

/** n8n stores the ids with each event, so there are only as many as retries of a busy hour need. */
const SEEN_MAX = 500

const memoryOf = (data: IDataObject): Memory => data as Memory

export const registrationOf = (data: IDataObject, url: string): Registration | undefined =>
  memoryOf(data).endpoints?.[url]

/** Stores the registration of an address, or forgets it. n8n saves the data only if a field is set. */
export function setRegistration(
  data: IDataObject,
  url: string,
  registration: Registration | undefined,
): void {
  const { [url]: _, ...others } = memoryOf(data).endpoints ?? {}
  data.endpoints = registration === undefined ? others : { ...others, [url]: registration }
}

/** Returns the secrets of the addresses of the node: its production address and, during a test, its test address. */
export const secretsOf = (data: IDataObject): string[] =>
  Object.values(memoryOf(data).endpoints ?? {}).map(({ secret }) => secret)

/** Remembers an event; returns false if it was known. */
export function isNewEvent(data: IDataObject, id: string): boolean {
  const seen = memoryOf(data).seen ?? []
  if (seen.includes(id)) return false
  data.seen = [...seen, id].slice(-SEEN_MAX)
  return true
}
