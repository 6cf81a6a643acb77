/**
 * Shares a process's places for outbound calls among workspaces. A workspace may use up to 4 times the number
 * of places free at the moment: alone it gets most, many get equal parts, and some stay free for the next.
 */
const TIMES_WHAT_IS_FREE = 4

export type Places = {
  taken(): number
  takenBy(workspaceId: string): number
  /** Returns how many more places the workspace may take now. */
  left(workspaceId: string): number
  take(workspaceId: string): void
  free(workspaceId: string): void
}

/** Opens a pool of `max` places. */
export function openPlaces(max: number): Places {
  const takenBy = new Map<string, number>()
  let takenCount = 0
  const change = (workspaceId: string, by: 1 | -1): void => {
    takenCount += by
    const now = (takenBy.get(workspaceId) ?? 0) + by
    if (now > 0) takenBy.set(workspaceId, now)
    else takenBy.delete(workspaceId)
  }
  return {
    taken: () => takenCount,
    takenBy: (workspaceId) => takenBy.get(workspaceId) ?? 0,
    left: (workspaceId) => {
      const left = TIMES_WHAT_IS_FREE * (max - takenCount) - (takenBy.get(workspaceId) ?? 0)
      // Each place that the workspace takes also leaves one fewer free.
      return Math.ceil(Math.max(0, left) / (TIMES_WHAT_IS_FREE + 1))
    },
    take: (workspaceId) => change(workspaceId, 1),
    free: (workspaceId) => change(workspaceId, -1),
  }
}

/** The part of a lane that the line reads. */
type Waiting = { workspaceId: string }

export type Line<Lane extends Waiting> = {
  join(lane: Lane): void
  leave(lane: Lane): void
  isEmpty(): boolean
  /** Removes and returns the next lane, skipping workspaces for which `mayNow` is false. */
  next(mayNow: (workspaceId: string) => boolean): Lane | undefined
}

/** Opens a line of lanes that wait for a place. Workspaces take turns, and so do the lanes of each. */
export function openLine<Lane extends Waiting>(): Line<Lane> {
  const lines = new Map<string, Set<Lane>>()
  const leave = (lane: Lane): void => {
    const line = lines.get(lane.workspaceId)
    line?.delete(lane)
    if (line?.size === 0) lines.delete(lane.workspaceId)
  }
  return {
    leave,
    isEmpty: () => lines.size === 0,
    join: (lane) => {
      const line = lines.get(lane.workspaceId)
      if (line) line.add(lane)
      else lines.set(lane.workspaceId, new Set([lane]))
    },
    next: (mayNow) => {
      for (const [workspaceId, line] of lines) {
        if (!mayNow(workspaceId)) continue
        const lane = line.values().next().value as Lane
        line.delete(lane)
        lines.delete(workspaceId)
        if (line.size > 0) lines.set(workspaceId, line)
        return lane
      }
      return undefined
    },
  }
}
