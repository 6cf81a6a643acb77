/** What gateways report, between their callback and the work on it. */
import type { Clock } from '../core/clock.ts'
import type { Database } from '../core/context.ts'
import { newId } from '../core/ids.ts'
import type { GatewayIntake } from '../http/gateway-callback.ts'
import { takeInGatewayPost } from '../modules/payments/operations/gateway-reports.ts'
import type { GatewayConnection } from '../payment-gateway/port.ts'
import { verifyGatewaySignature } from '../payment-gateway/razorpay/signature.ts'

const MAX_REMEMBERED = 10_000

/** What the gateways' callback needs: their secrets, and the intake that stores what they say. */
export function gatewayIntake(parts: {
  database: Database
  clock: Clock
  connection(workspaceId: string): Promise<GatewayConnection | undefined>
}): GatewayIntake<GatewayConnection> {
  /** Workspaces that had a gateway when they were last asked for; what counts is looked up each time. */
  const connected = new Set<string>()
  return {
    accounts: {
      async list(workspaceId) {
        const found = await parts.connection(workspaceId)
        connected.delete(workspaceId)
        if (!found) return []
        if (connected.size >= MAX_REMEMBERED) connected.clear()
        connected.add(workspaceId)
        return [found]
      },
      remembers: (workspaceId) => connected.has(workspaceId),
    },
    verify: verifyGatewaySignature,
    async receive(workspaceId, raw, eventId) {
      const now = parts.clock.now()
      await parts.database.tenantIds([workspaceId], (unit) =>
        takeInGatewayPost(unit, { workspaceId, id: newId(), eventId, raw, runAt: now, receivedAt: now }),
      )
    },
  }
}
