/** Faults of the simulated operator inside Parley: its next calls go wrong, as `parley simulate fault` says. */
import type { Clock } from '../../core/clock.ts'
import type { Query, Workspace } from '../../core/context.ts'
import type { SimulatedCall } from '../../operator/simulator/call.ts'
import { type Director, plainDirector } from '../../operator/simulator/director.ts'
import { expiredToken, type GraphAnswer, graphError } from '../../operator/simulator/graph-errors.ts'
import type { Directory } from '../workspaces/directory.ts'
import { hasFault } from './queries.ts'
import { takeFault } from './simulated-faults.ts'

/** What the simulated operator calls the fault's target; a trigger of the migrations knows it too. */
export const OPERATOR_TARGET = 'operator'

/** How a call goes wrong: it has its effect and is never answered, it is refused, or the token is no longer good. */
export const OPERATOR_FAULTS = ['no-answer', 'refuse', 'token-expired'] as const
type OperatorFault = (typeof OPERATOR_FAULTS)[number]

/** What reads may run into is an expired token alone: whoever arms a fault means what the number does. */
const faultsOf = (call: string): readonly OperatorFault[] =>
  call.split(' ')[1] === 'GET' ? ['token-expired'] : OPERATOR_FAULTS

type Parts = { query: Query; clock: Clock; directory: Directory }

/** Directs the simulator inside Parley: everything goes its ordinary way but for the faults that are armed. */
export function faultDirector({ query, clock, directory }: Parts): Director {
  /**
   * Whether faults are armed, by the workspace as it is remembered: arming one is announced, and the workspace is read
   * anew. So a call without faults, as each message of a sandbox is one, asks nothing of the database.
   */
  const armed = new WeakMap<Workspace, Promise<boolean>>()
  const unanswered = new WeakSet<SimulatedCall>()

  const isArmed = (workspace: Workspace): Promise<boolean> => {
    const known = armed.get(workspace)
    if (known) return known
    const asked = hasFault(query, { workspaceId: workspace.id, target: OPERATOR_TARGET })
    armed.set(workspace, asked)
    asked.catch(() => armed.delete(workspace))
    return asked
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
    after: (_name, call, answer) => (unanswered.has(call) ? { ...answer, ending: 'close' } : answer),
  }
}
