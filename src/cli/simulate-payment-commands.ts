// Customers pay at the simulated gateway. What is simulated takes effect in a running server at once.
import { setTimeout as wait } from 'node:timers/promises'
import { systemClock } from '../core/clock.ts'
import { platformContext, type Workspace } from '../core/context.ts'
import type { Sealer } from '../core/sealing.ts'
import type { OpenDatabase } from '../database/database.ts'
import { findPaymentLink } from '../modules/payments/operations/links.ts'
import { getRequest } from '../modules/payments/operations/read-requests.ts'
import { gatewayPostsSource } from '../modules/payments/work/gateway-posts-source.ts'
import { createGatewayStore } from '../modules/sandbox/gateway-store.ts'
import { simulatePayment } from '../modules/sandbox/simulate-payment.ts'
import { createSimulatorStore } from '../modules/sandbox/simulator-store.ts'
import { createDirectory, type Directory } from '../modules/workspaces/directory.ts'
import { readGatewayEvent } from '../payment-gateway/razorpay/events.ts'
import { writtenBesideFacts } from '../startup/open-pools.ts'
import { command, type Surroundings } from './command.ts'
import { between, givenOrNot, id, oneOf, required, text } from './flags.ts'
import { onInstallation } from './installation.ts'

type Opened = { database: OpenDatabase; directory: Directory; sealer: Sealer; workspace: Workspace }

/** Opens the installation for something that happens in a workspace and is announced like anything that happens there. */
const inWorkspace = <T>(
  at: Surroundings,
  workspaceId: string,
  act: (opened: Opened) => Promise<T>,
): Promise<T> =>
  onInstallation(
    at,
    // Whoever serves looks for what is due by itself.
    { connections: 2, ...writtenBesideFacts(systemClock, { mayListen: () => true }), onCommit: () => {} },
    async (database, _settings, sealer) => {
      const directory = createDirectory(database.query, systemClock)
      const workspace = await directory.workspace(workspaceId)
      if (!workspace) throw new Error(`Workspace ${workspaceId} not found. See "parley workspace list".`)
      return act({ database, directory, sealer, workspace })
    },
  )

const NEVER = new Date(8.64e15)
/** Between looks at what a running server is about to do. */
const LOOK_MS = 100

const payment = command({
  name: 'simulate payment',
  summary: 'A customer pays at the simulated gateway, or tries to with --fail.',
  flags: {
    workspace: required(id()),
    request: required(text('ID')),
    paise: between(1, 999_999_999),
    method: oneOf(['upi', 'card', 'netbanking', 'wallet']),
    fail: givenOrNot,
  },
  run: ({ workspace: workspaceId, ...paying }, at) =>
    inWorkspace(at, workspaceId, async ({ database, directory, sealer, workspace }) => {
      const parts = { database, clock: systemClock, sealer }
      const operator = createSimulatorStore({ ...parts, directory })
      const requestId = await simulatePayment(
        {
          ...parts,
          operator,
          gateway: createGatewayStore({ ...parts, workspace: directory.workspace }),
          number: async (ofWorkspace, phoneNumberId) => {
            const number = (await directory.numbers(ofWorkspace)).find((one) => one.id === phoneNumberId)
            return number?.operator === 'simulator' ? operator.findNumber(number.operatorId) : undefined
          },
          pause: () => wait(LOOK_MS),
        },
        workspace,
        paying,
      )
      // Whoever is first applies it: a running server, or this.
      const source = gatewayPostsSource({
        ...parts,
        workspaces: directory.workspaces,
        readGatewayEvent,
        onUnrecognised: () => {},
        onError: (error) => at.say(String(error)),
      })
      const isWaiting = async () =>
        ((await source.nextDue!(database.query, workspaceId)) ?? NEVER) <= systemClock.now()
      while ((await source.runDue({ workspaceId })) > 0 || (await isWaiting())) await wait(LOOK_MS / 4)
      const { status } = await database.tenant(workspace, async (unit) => {
        const ctx = platformContext(unit, workspace, systemClock)
        return (await findPaymentLink(ctx, requestId)) ?? getRequest(ctx, requestId)
      })
      return { paymentRequestId: requestId, status }
    }),
})

/** Commands that let customers pay at the simulated gateway. */
export const simulatePaymentCommands = [payment]
