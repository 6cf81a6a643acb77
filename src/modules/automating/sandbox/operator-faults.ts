/** Faults of the simulated operator: its next calls fail as set by `parley simulate fault`. */
import type { Clock } from '../../../core/clock.ts'
import type { Query, Workspace } from '../../../core/context.ts'
import { type Director, plainDirector } from '../../../operator/simulator/behavior.ts'
import type { SimulatedCall } from '../../../operator/simulator/call.ts'
import { expiredToken, type GraphAnswer, graphError } from '../../../operator/simulator/graph-errors.ts'
import type { Directory } from '../../platform/workspaces/directory.ts'
import { hasFault } from './queries.ts'
import { takeFault } from './simulated-faults.ts'

/** The simulated operator's name as a target of faults; a trigger in the migrations uses it too. */
export const OPERATOR_TARGET = 'operator'

/**
 * The fault of a call: it takes effect without an answer, the operator rejects it, or its token has expired.
 */
export const OPERATOR_FAULTS = ['no-answer', 'refuse', 'token-expired'] as const
type OperatorFault = (typeof OPERATOR_FAULTS)[number]

/**
 * Reads fail only for an expired token, because the other faults are meant for calls that change something.
 */
const faultsOf = (call: string): readonly OperatorFault[] =>
  call.split(' ')[1] === 'GET' ? ['token-expired'] : OPERATOR_FAULTS

type Parts = { query: Query; clock: Clock; directory: Directory }

/** Directs the simulator: calls succeed unless a fault is armed. */
export function faultDirector({ query, clock, directory }: Parts): Director {
  /**
   * Caches whether faults are armed, by workspace object: arming a fault is announced and reloads the
   * workspace. So calls without faults, such as for each sandbox message, need no query.
   */
  const lookups = new WeakMap<Workspace, Promise<boolean>>()
  const unanswered = new WeakSet<SimulatedCall>()

  const isArmed = (workspace: Workspace): Promise<boolean> => {
    const cached = lookups.get(workspace)
    if (cached) return cached
    const lookup = hasFault(query, { workspaceId: workspace.id, target: OPERATOR_TARGET })
    lookups.set(workspace, lookup)
    lookup.catch(() => lookups.delete(workspace))
    return lookup
  }

  const faultOf = async (name: string, { number }: SimulatedCall): Promise<OperatorFault | undefined> => {
    const record = await directory.numberByOperatorId('simulator', number.operatorId)
    const workspace = record && (await directory.workspace(record.workspaceId))
    if (!workspace || !(await isArmed(workspace))) return undefined
    return takeFault(query, { workspaceId: workspace.id, target: OPERATOR_TARGET, kinds: faultsOf(name) })
  }

  const answers: Record<OperatorFault, (call: SimulatedCall) => GraphAnswer | undefined> = {
    refuse: () =>
      graphError(100, '(#100) Invalid parameter', { details: 'Refused by a fault that was simulated.' }),
    'token-expired': () => expiredToken(clock.now()),
    'no-answer': (call) => {
      unanswered.add(call)
      return undefined
    },
  }

  return {
    ...plainDirector,
    async instead(name, call) {
      const fault = await faultOf(name, call)
      return fault && answers[fault](call)
    },
    after: (_operation, call, answer) => (unanswered.has(call) ? { ...answer, ending: 'close' } : answer),
  }
}
