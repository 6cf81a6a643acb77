/** Calls to simulated networks that are to go wrong: kept in the database, so that a running server meets them at once. */
import type { Query } from '../../core/context.ts'
import { upsertFault, useFault } from './queries.ts'

export type SimulatedFault = { workspaceId: string; target: string; kind: string; times: number; now: Date }

/** The next `times` calls of the workspace to `target` fail so, in place of what was said of this kind before. */
export const armFault = (query: Query, fault: SimulatedFault): Promise<unknown> => upsertFault(query, fault)

/** The fault that this call meets, used up by it: one of `kinds`; undefined when none is left. */
export const takeFault = <Kind extends string>(
  query: Query,
  of: { workspaceId: string; target: string; kinds: readonly Kind[] },
): Promise<Kind | undefined> => useFault(query, of) as Promise<Kind | undefined>
