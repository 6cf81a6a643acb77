/** Keeps the open chat's place in the list, although the list moves: after an answer, or when chats arrive. */
import { useRef } from 'react'

/** The list as it was when its chat was opened. */
type Place = { id: string; order: readonly string[] }

/**
 * Returns the neighbor of a chat in the order in which it was opened, among the chats that are still in the list.
 * Without a place, returns the first chat.
 */
export function neighborOf(place: Place | undefined, ids: readonly string[], by: 1 | -1): string | undefined {
  if (!place) return ids[0]
  const present = new Set(ids)
  for (let at = place.order.indexOf(place.id) + by; at >= 0 && at < place.order.length; at += by)
    if (present.has(place.order[at]!)) return place.order[at]
  return undefined
}

/**
 * Returns a function that finds the neighbor of the open chat. `list` names the list: another one gives the chat
 * another place.
 */
export function usePlace(
  openId: string | undefined,
  ids: readonly string[],
  list: string,
): (by: 1 | -1) => string | undefined {
  const place = useRef<Place & { list: string }>(undefined)
  const isKept = place.current?.id === openId && place.current?.list === list
  // Before its list is loaded, the chat has no place.
  if (!isKept)
    place.current =
      openId !== undefined && ids.includes(openId) ? { id: openId, order: ids, list } : undefined
  return (by) => neighborOf(place.current, ids, by)
}
