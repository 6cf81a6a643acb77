/** Receives the callbacks of payment gateways (docs/formats.md section 15). */
import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { type CallbackGuard, type SignedCallback, signedCallback } from './signed-callback.ts'

/** A gateway; only its secret matters here. */
type Signer = { webhookSecret: string }

export type GatewayIntake<Gateway extends Signer> = Pick<SignedCallback<Gateway>, 'accounts' | 'verify'> & {
  /** Stores a report durably, without applying it. */
  receive(workspaceId: string, bytes: Buffer, eventId: string): Promise<void>
}

export const GATEWAY_CALLBACK_PATH = '/api/gateway'
/** Reports have a few kilobytes. */
const BODY_LIMIT_BYTES = 256 * 1024
const MAX_EVENT_ID = 200

/** Identifies a repeated report by the gateway's event ID, or by the hash of its bytes. */
const eventIdOf = (header: string | string[] | undefined, bytes: Buffer): string =>
  typeof header === 'string' && header !== '' && header.length <= MAX_EVENT_ID
    ? header
    : createHash('sha256').update(bytes).digest('hex')

/** Registers the callback route. */
export const gatewayCallback =
  <Gateway extends Signer>(guard: CallbackGuard, { accounts, verify, receive }: GatewayIntake<Gateway>) =>
  (app: FastifyInstance): void => {
    signedCallback(guard, {
      path: GATEWAY_CALLBACK_PATH,
      signature: { header: 'x-razorpay-signature', shape: /^[0-9a-fA-F]{64}$/ },
      bodyLimitBytes: BODY_LIMIT_BYTES,
      accounts,
      secretOf: (gateway) => gateway.webhookSecret,
      verify,
      receive: ({ workspaceId, bytes, headers }) =>
        receive(workspaceId, bytes, eventIdOf(headers['x-razorpay-event-id'], bytes)),
    })(app)
  }
