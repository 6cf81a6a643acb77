/** Requests to shops. They run only in jobs, so that a shop that doesn't respond delays no other work. */
import type { Context, OutsideContext } from '../../../../core/context.ts'
import { touch } from '../../../../core/event.ts'
import type { ShopAnswer, ShopConnection } from '../../../../shop/port.ts'
import { setLastError } from '../queries/integrations.ts'

type Settle = (ctx: Context) => Promise<void>

const nothing: Settle = async () => {}

/** Sends a request to the shop if it is still connected, and stores the error. Throws if a retry may help. */
async function askShop(
  { outside, workspace }: OutsideContext,
  { name, failed }: { name: string; failed: string },
  callShop: (connection: ShopConnection) => Promise<ShopAnswer<true>>,
): Promise<Settle> {
  const connection = await outside.shopConnection(workspace.id, name)
  if (!connection) return nothing
  const answer = await callShop(connection)
  if (answer.kind === 'unknown') throw new Error(answer.reason)
  if (answer.kind === 'refused' && !answer.permanent) throw new Error(answer.message)
  const error = answer.kind === 'refused' ? `${failed}: ${answer.message}` : null
  return async (ctx) => {
    await setLastError(ctx, name, error)
    touch(ctx, { integration: ctx.workspace.id })
  }
}

export const registerAtShop = (ctx: OutsideContext, name: string): Promise<Settle> =>
  askShop(
    ctx,
    { name, failed: "The webhooks couldn't be registered at the shop" },
    ({ account, intakeUrl: address, intakeSecret: secret }) =>
      ctx.outside.shop.registerWebhooks(account, { address, secret }),
  )

export const markCodAnswer = (
  ctx: OutsideContext,
  { integration: name, ...mark }: { integration: string; externalId: string; confirmed: boolean },
): Promise<Settle> =>
  askShop(ctx, { name, failed: `Order ${mark.externalId} couldn't be marked` }, ({ account }) =>
    ctx.outside.shop.markOrder(account, mark),
  )
