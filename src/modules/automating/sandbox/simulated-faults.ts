/**
 * Armed faults of simulated networks, stored in the database so that a running server sees them immediately.
 */
import type { Query } from '../../../core/context.ts'
import { upsertFault, useFault } from './queries.ts'

export type SimulatedFault = { workspaceId: string; target: string; kind: string; times: number; now: Date }

/**
 * Arms a fault for the workspace's next `times` calls to `target`, replacing an earlier one of the same kind.
 */
export const armFault = (query: Query, fault: SimulatedFault): Promise<unknown> => upsertFault(query, fault)

/** Uses up and returns the fault for this call, one of `kinds`; undefined if none is left. */
export const takeFault = <Kind extends string>(
  query: Query,
  key: { workspaceId: string; target: string; kinds: readonly Kind[] },
): Promise<Kind | undefined> => useFault(query, key) as Promise<Kind | undefined>
