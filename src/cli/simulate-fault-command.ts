// Makes the next calls to a simulated network fail, also in a running server, immediately.
import { GATEWAY_TARGET } from '../modules/automating/sandbox/gateway-store.ts'
import { OPERATOR_FAULTS, OPERATOR_TARGET } from '../modules/automating/sandbox/operator-faults.ts'
import { armFault } from '../modules/automating/sandbox/simulated-faults.ts'
import { SOCIAL_TARGET } from '../modules/automating/sandbox/social-simulator-store.ts'
import { getWorkspace } from '../modules/platform/workspaces/operations/get-workspace.ts'
import { GATEWAY_FAULTS } from '../payment-gateway/simulator/store.ts'
import { FAULT_KINDS } from '../social-network/simulator/store.ts'
import { command, UsageError } from './command.ts'
import { between, id, oneOf, required } from './flags.ts'
import { inInstallation } from './installation.ts'

const MAX_TIMES = 1_000_000

/** The possible faults of each simulated network. */
const FAULTS: Record<string, readonly string[]> = {
  [SOCIAL_TARGET]: FAULT_KINDS,
  [GATEWAY_TARGET]: GATEWAY_FAULTS,
  [OPERATOR_TARGET]: OPERATOR_FAULTS,
}

export const simulateFaultCommand = command({
  name: 'simulate fault',
  summary: 'Make the next calls to a simulated network fail.',
  flags: {
    workspace: required(id()),
    of: required(oneOf(Object.keys(FAULTS))),
    kind: required(oneOf([...new Set(Object.values(FAULTS).flat())])),
    times: between(1, MAX_TIMES),
  },
  run: ({ workspace, of, kind, times = 1 }, context) => {
    if (!FAULTS[of]?.includes(kind))
      throw new UsageError(`--kind: Must be one of ${FAULTS[of]?.join(', ')} with --of ${of}, not ${kind}.`)
    return inInstallation(context, async ({ tx, now }) => {
      await getWorkspace(tx, workspace)
      await armFault(tx.sql, { workspaceId: workspace, target: of, kind, times, now })
      return { of, kind, times }
    })
  },
})
