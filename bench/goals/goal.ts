import type { Arena } from '../ground/arena.ts'
import type { GoalReport } from '../report.ts'

export type GoalOptions = {
  profile: boolean
  /** Minutes of the soak run with G1; 0: none. */
  soakMinutes: number
  /** Rows of the large side when lists of many and few rows are compared. */
  rows: number
  /** Messages of other workspaces in the full database of `size`. */
  messages: number
}

/** Measures one goal, or a few that share their seeds. Leaves only processes that the arena closes. */
export type Goal = (arena: Arena, options: GoalOptions) => Promise<GoalReport>

/** `settings` are settings of the database server, for goals that need data that is usually not collected. */
export type GoalEntry = {
  measure: Goal
  settings?: Record<string, string>
  /** It takes many minutes, or needs the npm registry, and runs only if named. */
  long?: true
}
