// What simulated shops and callers report. It takes effect in a running server at once.
import { setTimeout as wait } from 'node:timers/promises'
import { realTime, systemClock } from '../core/clock.ts'
import { type Database, platformContext, type Workspace } from '../core/context.ts'
import type { WorkSource } from '../core/work.ts'
import { ORDER_TYPES } from '../modules/integrations/schema.ts'
import { shopDeliveriesSource } from '../modules/integrations/work/shop-deliveries-source.ts'
import { simulateOrder } from '../modules/sandbox/simulate-order.ts'
import { readShopOrder } from '../shop/formats.ts'
import { SIMULATED_STORES } from '../shop/simulator/orders.ts'
import { command } from './command.ts'
import { givenOrNot, id, oneOf, required, text } from './flags.ts'
import { inWorkspace } from './in-workspace.ts'

const NEVER = new Date(8.64e15)
/** Between looks at what somebody else has in hand. */
const LOOK_MS = 25

/** Whoever is first does what is due: a running server, or this. */
async function runAll(
  source: WorkSource,
  { query }: Pick<Database, 'query'>,
  workspaceId: string,
): Promise<void> {
  const isWaiting = async () => ((await source.nextDue!(query, workspaceId)) ?? NEVER) <= systemClock.now()
  while ((await source.runDue({ workspaceId })) > 0 || (await isWaiting())) await wait(LOOK_MS)
}

function requireSimulatedShop({ sandbox }: Workspace): void {
  if (!sandbox)
    throw new Error('Only a sandbox has simulated shops. Make one with "parley workspace create --sandbox".')
}

const order = command({
  name: 'simulate order',
  summary: 'A simulated shop reports an order.',
  flags: {
    workspace: required(id()),
    store: required(oneOf(SIMULATED_STORES)),
    type: required(oneOf(ORDER_TYPES)),
    reference: required(text('R')),
    from: required(text('PHONE')),
    cod: givenOrNot,
  },
  run: ({ workspace: workspaceId, ...report }, at) =>
    inWorkspace(at, workspaceId, async ({ database, directory, workspace }) => {
      requireSimulatedShop(workspace)
      const answer = await database.tenant(workspace, (unit) => {
        const { now } = platformContext(unit, workspace, systemClock)
        return simulateOrder(unit, workspace, { report, at: now, realAt: realTime(now, workspace) })
      })
      const source = shopDeliveriesSource({
        database,
        clock: systemClock,
        workspaces: directory.workspaces,
        readShopOrder,
        onError: (error) => at.say(String(error)),
      })
      await runAll(source, database, workspaceId)
      return answer
    }),
})

/** Commands that let simulated shops report. */
export const simulateOrderCommands = [order]
