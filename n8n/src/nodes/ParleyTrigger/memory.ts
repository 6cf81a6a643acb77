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

/**
 * The events that this process took, by the trigger's address. n8n 2.40 does not store what a trigger changes while it answers,
 * so the stored ids alone would not be enough.
 */
const taken = new Map<string, Set<string>>()

function takenAt(address: string): Set<string> {
  const ids = taken.get(address) ?? new Set<string>()
  taken.set(address, ids)
  return ids
}

/** Remembers an event of the trigger at `address`; returns false if it was known. */
export function isNewEvent(data: IDataObject, address: string, id: string): boolean {
  const seen = memoryOf(data).seen ?? []
  const ids = takenAt(address)
  if (seen.includes(id) || ids.has(id)) return false
  data.seen = [...seen, id].slice(-SEEN_MAX)
  ids.add(id)
  if (ids.size > SEEN_MAX) ids.delete(ids.values().next().value!)
  return true
}

/** Forgets an event that did not start the workflow, so that Parley's next attempt does. */
export function forgetEvent(address: string, id: string): void {
  taken.get(address)?.delete(id)
}
