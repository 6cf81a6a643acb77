import type { Arena } from '../ground/arena.ts'
import type { GoalReport } from '../report.ts'

export type GoalOptions = {
  profile: boolean
  /** Minutes of the soak beside G1; 0: none. */
  soakMinutes: number
  /** Rows of the large side where lists of many and of few are compared. */
  rows: number
}

/** Measures one goal, or a few that share their seeds. Leaves nothing running but what the arena closes. */
export type Goal = (arena: Arena, options: GoalOptions) => Promise<GoalReport>

/** `settings` are of the database server, where a goal needs to see what is usually not kept. */
export type GoalEntry = {
  measure: Goal
  settings?: Record<string, string>
  /** It takes many minutes, or needs the npm registry, and is left out unless named. */
  long?: true
}
