// Simulates customers' payments at the gateway. They take effect in a running server immediately.
import { setTimeout as wait } from 'node:timers/promises'
import { paymentSimulator } from '../adapters/simulated-payments.ts'
import { systemClock } from '../core/clock.ts'
import { platformContext } from '../core/context.ts'
import { findPaymentLink } from '../modules/selling/payments/operations/links.ts'
import { getRequest } from '../modules/selling/payments/operations/read-requests.ts'
import { gatewayPostsSource } from '../modules/selling/payments/work/gateway-posts-source.ts'
import { readGatewayEvent } from '../payment-gateway/razorpay/events.ts'
import { command } from './command.ts'
import { between, id, oneOf, required, switchFlag, text } from './flags.ts'
import { inWorkspace } from './in-workspace.ts'

const NEVER = new Date(8.64e15)
/** Milliseconds between polls for the running server's work. */
const POLL_MS = 100

const payment = command({
  name: 'simulate payment',
  summary: 'Pay at the simulated gateway as the customer. --fail makes the payment fail.',
  flags: {
    workspace: required(id()),
    request: required(text('ID')),
    paise: between(1, 999_999_999),
    method: oneOf(['upi', 'card', 'netbanking', 'wallet']),
    fail: switchFlag,
  },
  run: ({ workspace: workspaceId, ...options }, context) =>
    inWorkspace(context, workspaceId, async ({ database, directory, sealer, workspace }) => {
      const parts = { database, clock: systemClock, sealer }
      const pay = paymentSimulator({ ...parts, directory, pause: () => wait(POLL_MS) })
      const requestId = await pay(workspace, options)
      // Either a running server or this command applies it.
      const source = gatewayPostsSource({
        ...parts,
        workspaces: directory.workspaces,
        readGatewayEvent,
        onUnrecognized: () => {},
        onError: (error) => context.say(String(error)),
      })
      const isWaiting = async () =>
        ((await source.nextDue!(database.query, workspaceId)) ?? NEVER) <= systemClock.now()
      while ((await source.runDue({ workspaceId })) > 0 || (await isWaiting())) await wait(POLL_MS / 4)
      const { status } = await database.tenant(workspace, async (unit) => {
        const ctx = platformContext(unit, workspace, systemClock)
        return (await findPaymentLink(ctx, requestId)) ?? getRequest(ctx, requestId)
      })
      return { paymentRequestId: requestId, status }
    }),
})

/** Commands that let customers pay at the simulated gateway. */
export const simulatePaymentCommands = [payment]
