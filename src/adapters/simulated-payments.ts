/** Simulates customers who pay at the simulated gateway and, if requested there, in the simulated chat. */
import type { Clock } from '../core/clock.ts'
import type { Database, Outside } from '../core/context.ts'
import type { Sealer } from '../core/sealing.ts'
import { createGatewayStore } from '../modules/automating/sandbox/gateway-store.ts'
import { simulatePayment } from '../modules/automating/sandbox/simulate-payment.ts'
import { createSimulatorStore } from '../modules/automating/sandbox/simulator-store.ts'
import type { Directory } from '../modules/platform/workspaces/directory.ts'

type Parts = {
  database: Database
  clock: Clock
  sealer: Sealer
  directory: Directory
  /** Waits a moment for a running server's next step. */
  pause(): Promise<void>
}

/** Pays in the way that was requested from the customer; resolves when the reports are stored. */
export function paymentSimulator({ directory, ...parts }: Parts): Outside['simulatePayment'] {
  const operator = createSimulatorStore({ ...parts, directory })
  const gateway = createGatewayStore({ ...parts, workspace: directory.workspace })
  return (workspace, paying) =>
    simulatePayment(
      {
        ...parts,
        operator,
        gateway,
        number: async (ofWorkspace, phoneNumberId) => {
          const number = (await directory.numbers(ofWorkspace)).find((number) => number.id === phoneNumberId)
          return number?.operator === 'simulator' ? operator.findNumber(number.operatorId) : undefined
        },
      },
      workspace,
      paying,
    )
}
