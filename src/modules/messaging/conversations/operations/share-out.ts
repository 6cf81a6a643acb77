/** A member of a team who can get chats. */
export type Taker = { teamId: string; memberId: string; turn: number }
/** A chat to assign. */
export type Turn = { id: string; teamId: string; memberId: string; turn: number }

/** Returns how many chats each team can give: the free places of its members; null: no limit. */
export function freePlaces(
  takers: readonly Taker[],
  capacities: ReadonlyMap<string, number | null>,
  loads: ReadonlyMap<string, number>,
): Map<string, number | null> {
  const free = new Map<string, number | null>()
  for (const { teamId, memberId } of takers) {
    const capacity = capacities.get(teamId) ?? null
    const before = free.get(teamId)
    const places = capacity === null ? null : Math.max(0, capacity - (loads.get(memberId) ?? 0))
    free.set(teamId, before === null || places === null ? null : (before ?? 0) + places)
  }
  return free
}

/**
 * Returns the reopened chats that can't stay with their member: the member is no taker of the team, or has more open
 * chats than its capacity. Removes them from `loads`, which contains reopened chats.
 */
export function overloaded(
  reopened: readonly { id: string; teamId: string | null; assignedAgentId: string | null }[],
  takers: readonly Taker[],
  capacities: ReadonlyMap<string, number | null>,
  loads: Map<string, number>,
): string[] {
  return reopened.flatMap(({ id, teamId, assignedAgentId: memberId }) => {
    if (teamId === null || memberId === null) return []
    const capacity = capacities.get(teamId) ?? Number.POSITIVE_INFINITY
    const load = loads.get(memberId) ?? 0
    const isTaker = takers.some((taker) => taker.teamId === teamId && taker.memberId === memberId)
    if (isTaker && load <= capacity) return []
    loads.set(memberId, Math.max(0, load - 1))
    return [id]
  })
}

/**
 * Gives chats, in order, to the members of their teams: each to the member below the team's capacity whose last
 * turn is the longest ago. Chats without such a member are left out. `loads`: the open chats of each member.
 */
export function shareOut(
  chats: readonly { id: string; teamId: string }[],
  takers: readonly Taker[],
  capacities: ReadonlyMap<string, number | null>,
  loads: ReadonlyMap<string, number>,
): Turn[] {
  const open = new Map(loads)
  const members = Map.groupBy(
    takers.map((taker) => ({ ...taker })),
    ({ teamId }) => teamId,
  )
  const lastTurns = new Map(
    [...members].map(([teamId, rows]) => [teamId, Math.max(...rows.map(({ turn }) => turn))]),
  )
  const turns: Turn[] = []
  for (const { id, teamId } of chats) {
    const capacity = capacities.get(teamId) ?? Number.POSITIVE_INFINITY
    const free = (members.get(teamId) ?? []).filter(({ memberId }) => (open.get(memberId) ?? 0) < capacity)
    const [first] = free.sort((a, b) => a.turn - b.turn || (a.memberId < b.memberId ? -1 : 1))
    if (!first) continue
    first.turn = (lastTurns.get(teamId) ?? 0) + 1
    lastTurns.set(teamId, first.turn)
    open.set(first.memberId, (open.get(first.memberId) ?? 0) + 1)
    turns.push({ id, teamId, memberId: first.memberId, turn: first.turn })
  }
  return turns
}
