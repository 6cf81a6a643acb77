import type { Context } from '../../../../core/context.ts'
import { type GatewayRow, gatewaySecrets } from '../../../selling/payments/operations/gateway-connection.ts'
import type { AccountRow } from '../../../selling/social/operations/accounts.ts'
import { type Order, OUTCOMES, type ShopDelivery } from '../order-schema.ts'
import type { ShownDelivery } from '../queries/deliveries.ts'
import type { IntegrationRow } from '../queries/integrations.ts'
import type { ShownOrder } from '../queries/orders.ts'
import { type Integration, KIND_OF, type Name, SECRETS, SETTINGS } from '../schema.ts'
import { statusOf } from './order-after.ts'
import { accountSecretsOf, masked, openSecrets } from './secrets.ts'

const instant = (time: Date | null): string | null => time?.toISOString() ?? null

const inactive = (name: Name): Integration => ({
  name,
  kind: KIND_OF[name],
  status: 'off',
  settings: {},
  intakeUrl: null,
  shopId: null,
  accountName: null,
  lastEventAt: null,
  lastError: null,
})

/** Returns secrets as asterisks and their last four characters. */
const shownSecrets = (name: Name, secrets: Record<string, string>) =>
  Object.fromEntries(SECRETS[name].map((secretName) => [secretName, masked(secrets[secretName])]))

function presentRow(ctx: Context, row: IntegrationRow): Integration {
  const { name, settings, intakeToken, shopId, lastError } = row
  return {
    name,
    kind: KIND_OF[name],
    status: lastError === null ? 'active' : 'error',
    settings: {
      // Settings that a later version added have their default.
      ...(name === 'ai' && { forAgents: false }),
      ...settings,
      ...shownSecrets(name, openSecrets(row.secretsSealed, ctx.sealer)),
    },
    intakeUrl: intakeToken === null ? null : `${ctx.siteUrl}/in/${intakeToken}`,
    shopId,
    accountName: null,
    lastEventAt: instant(row.lastEventAt),
    lastError,
  }
}

function presentGateway(ctx: Context, row: GatewayRow): Integration {
  return {
    ...inactive('razorpay'),
    status: 'active',
    settings: { keyId: row.keyId, ...shownSecrets('razorpay', gatewaySecrets(row, ctx.sealer)) },
    intakeUrl: `${ctx.siteUrl}/api/gateway/${ctx.workspace.id}`,
  }
}

/** Of the verify token only a hash is stored, so it is not shown. */
function presentAccount(ctx: Context, row: AccountRow): Integration {
  const { token, appSecret } = accountSecretsOf(row, ctx.sealer)
  return {
    ...inactive('photo'),
    status: row.state === 'connected' ? 'active' : 'error',
    settings: { account: row.networkId, token: masked(token), appSecret: masked(appSecret) },
    intakeUrl: `${ctx.siteUrl}/api/social/${ctx.workspace.id}`,
    accountName: row.username,
    lastError: row.state === 'connected' ? null : (row.stateReason ?? 'The token is no longer valid.'),
  }
}

export type StoredIntegrations = {
  rows: IntegrationRow[]
  gateway: GatewayRow | undefined
  account: AccountRow | undefined
}

/** Returns an integration in the form for responses, connected or not. */
export function presentIntegration(
  ctx: Context,
  name: Name,
  { rows, gateway, account }: StoredIntegrations,
): Integration {
  if (name === 'razorpay')
    return gateway?.provider === 'razorpay' ? presentGateway(ctx, gateway) : inactive(name)
  if (name === 'photo') return account ? presentAccount(ctx, account) : inactive(name)
  const row = rows.find((row) => row.name === name)
  if (row) return presentRow(ctx, row)
  return name === 'simulator'
    ? { ...inactive(name), status: 'active', settings: SETTINGS.simulator.parse({}) }
    : inactive(name)
}

export const presentOrder = (row: ShownOrder): Order => ({
  id: row.id,
  provider: row.provider,
  shopId: row.shopId,
  reference: row.reference,
  status: statusOf(row),
  contactId: row.contactId,
  phone: row.phone,
  customerName: row.customerName,
  total: row.total,
  currency: row.currency,
  url: row.url,
  itemCount: row.itemCount,
  cashOnDelivery: row.cashOnDelivery,
  cod:
    row.codStatus === null
      ? null
      : {
          status: row.codStatus,
          askedAt: instant(row.askedAt),
          answeredAt: instant(row.answeredAt),
          reason: row.failure,
        },
  placedAt: instant(row.placedAt),
  paidAt: instant(row.paidAt),
  shippedAt: instant(row.shippedAt),
  cancelledAt: instant(row.cancelledAt),
  createdAt: row.createdAt.toISOString(),
})

/** Our errors may quote a report, so they appear only in the log. */
const NOT_APPLIED = "An internal error stopped it. The service's log has the details."

const stateOf = ({ outcome, failedAt, attempts }: ShownDelivery): Pick<ShopDelivery, 'status' | 'reason'> =>
  outcome === null
    ? { status: failedAt ? 'failed' : 'waiting', reason: attempts > 0 ? NOT_APPLIED : null }
    : OUTCOMES[outcome]

export function presentDelivery(row: ShownDelivery): ShopDelivery {
  const { id, deliveryId, provider, shopId, topic, types, reference, repeats, attempts, receivedAt } = row
  const state = stateOf(row)
  return {
    id,
    deliveryId,
    provider,
    shopId,
    topic,
    types,
    reference,
    ...state,
    repeats,
    attempts,
    nextAttemptAt: state.status === 'waiting' ? row.dueAt.toISOString() : null,
    receivedAt: receivedAt.toISOString(),
  }
}
