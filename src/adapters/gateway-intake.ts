/** Connects the gateways' callback to the processing of their reports. */
import type { Clock } from '../core/clock.ts'
import type { Database } from '../core/context.ts'
import { newId } from '../core/ids.ts'
import type { GatewayIntake } from '../http/callbacks/gateway-callback.ts'
import { receiveGatewayPost } from '../modules/selling/payments/operations/gateway-reports.ts'
import type { GatewayConnection } from '../payment-gateway/port.ts'
import { verifyGatewaySignature } from '../payment-gateway/razorpay/signature.ts'
import { connectedAccounts } from './connected-accounts.ts'

/** Provides the secrets and the intake for the gateways' callback. */
export function gatewayIntake(parts: {
  database: Database
  clock: Clock
  connection(workspaceId: string): Promise<GatewayConnection | undefined>
}): GatewayIntake<GatewayConnection> {
  return {
    accounts: connectedAccounts(parts.connection),
    verify: verifyGatewaySignature,
    async receive(workspaceId, raw, eventId) {
      const now = parts.clock.now()
      await parts.database.tenantIds([workspaceId], (unit) =>
        receiveGatewayPost(unit, { workspaceId, id: newId(), eventId, raw, runAt: now, receivedAt: now }),
      )
    },
  }
}
