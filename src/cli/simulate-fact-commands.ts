// Simulates actions of shops and customers. They take effect in a running server immediately.
import { setTimeout as wait } from 'node:timers/promises'
import { systemClock } from '../core/clock.ts'
import { type Database, platformContext } from '../core/context.ts'
import type { WorkSource } from '../core/work.ts'
import { ORDER_TYPES } from '../modules/automating/integrations/order-schema.ts'
import { codQuestionsSource } from '../modules/automating/integrations/work/cod-questions-source.ts'
import { shopDeliveriesSource } from '../modules/automating/integrations/work/shop-deliveries-source.ts'
import { simulateInbound } from '../modules/automating/sandbox/operations.ts'
import { simulateCall } from '../modules/automating/sandbox/simulate-call.ts'
import { simulateOrder } from '../modules/automating/sandbox/simulate-order.ts'
import { isUpdateWaiting } from '../modules/messaging/messages/intake/operations/intake.ts'
import { answerReview } from '../modules/selling/reviews/operations/answer-review.ts'
import { MAX_RATING, MIN_RATING } from '../modules/selling/reviews/schema.ts'
import { readShopOrder } from '../shop/formats.ts'
import { SIMULATED_STORES } from '../shop/simulator/orders.ts'
import { command } from './command.ts'
import { between, id, oneOf, required, switchFlag, text } from './flags.ts'
import { inWorkspace } from './in-workspace.ts'
import { waitUntilApplied } from './wait-until-applied.ts'

const NEVER = new Date(8.64e15)
/** Milliseconds between polls for work that another process has claimed. */
const POLL_MS = 25

/** Runs due work; a running server may claim it first. */
async function runDueWork(
  source: WorkSource,
  { query }: Pick<Database, 'query'>,
  workspaceId: string,
): Promise<void> {
  const isWaiting = async () => ((await source.nextDue!(query, workspaceId)) ?? NEVER) <= systemClock.now()
  while ((await source.runDue({ workspaceId })) > 0 || (await isWaiting())) await wait(POLL_MS)
}

const order = command({
  name: 'simulate order',
  summary: 'Report an order from the simulated shop.',
  flags: {
    workspace: required(id()),
    store: required(oneOf(SIMULATED_STORES)),
    type: required(oneOf(ORDER_TYPES)),
    reference: required(text('R')),
    from: required(text('PHONE')),
    cod: switchFlag,
  },
  run: ({ workspace: workspaceId, ...report }, context) =>
    inWorkspace(context, workspaceId, async ({ database, directory, workspace }) => {
      const answer = await database.tenant(workspace, (unit) =>
        simulateOrder(platformContext(unit, workspace, systemClock), report),
      )
      const tools = { database, clock: systemClock, workspaces: directory.workspaces }
      const onError = (error: unknown) => context.say(String(error))
      await runDueWork(shopDeliveriesSource({ ...tools, readShopOrder, onError }), database, workspaceId)
      // A running server rarely polls for these questions, unless it applied the order itself.
      await runDueWork(codQuestionsSource(tools), database, workspaceId)
      return answer
    }),
})

const call = command({
  name: 'simulate call',
  summary: 'Simulate a missed call from a customer to a simulated number.',
  flags: { workspace: required(id()), from: required(text('PHONE')) },
  run: ({ workspace: workspaceId, from }, context) =>
    inWorkspace(context, workspaceId, async ({ database, workspace }) => {
      const { callId, updateId } = await database.tenant(workspace, (unit) =>
        simulateCall(platformContext(unit, workspace, systemClock), from),
      )
      await waitUntilApplied(() => isUpdateWaiting(database.query, workspaceId, updateId))
      return { callId }
    }),
})

const customer = command({
  name: 'simulate customer',
  summary: 'Send a message from a customer without a phone number to a simulated number.',
  flags: {
    workspace: required(id()),
    userId: required(text('U')),
    username: text('N'),
    text: required(text('T')),
  },
  run: ({ workspace: workspaceId, userId, ...message }, context) =>
    inWorkspace(context, workspaceId, async ({ database, workspace }) => {
      const answer = await database.tenant(workspace, (unit) =>
        simulateInbound(platformContext(unit, workspace, systemClock), {
          from: `chan:${userId}`,
          ...message,
        }),
      )
      await waitUntilApplied(() => isUpdateWaiting(database.query, workspaceId, answer.messageId))
      return answer
    }),
})

const review = command({
  name: 'simulate review',
  summary: 'Answer a review request as the customer.',
  flags: {
    workspace: required(id()),
    request: required(id()),
    rating: required(between(MIN_RATING, MAX_RATING)),
    comment: text('T'),
  },
  run: ({ workspace: workspaceId, request, rating, comment = null }, context) =>
    inWorkspace(context, workspaceId, ({ database, workspace }) =>
      database.tenant(workspace, async (unit) => {
        const ctx = platformContext(unit, workspace, systemClock)
        return { reviewId: (await answerReview(ctx, request, { rating, comment })).id }
      }),
    ),
})

/** Commands that simulate actions of shops and customers. */
export const simulateFactCommands = [order, call, customer, review]
