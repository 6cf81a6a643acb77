/** The photo network's callback (docs/formats.md sections 1 and 14): the handshake and the reports. */
import type { FastifyInstance } from 'fastify'
import type { Sealer } from '../../core/sealing.ts'
import { callbackHandshake } from './handshake.ts'
import { type CallbackGuard, type SignedCallback, signedCallback } from './signed-callback.ts'

type Secrets = { appSecretSealed: Buffer; verifyTokenHash: Buffer }

export type SocialIntake<Account extends Secrets> = Pick<
  SignedCallback<Account>,
  'accounts' | 'verify' | 'receive'
> & { sealer: Sealer }

export const SOCIAL_CALLBACK_PATH = '/api/social'
/** The network sends up to 1,000 reports in one request. */
const BODY_LIMIT_BYTES = 4 * 1024 * 1024

/** Registers the callback routes. */
export const socialCallback =
  <Account extends Secrets>(
    guard: CallbackGuard,
    { sealer, accounts, verify, receive }: SocialIntake<Account>,
  ) =>
  (app: FastifyInstance): void => {
    callbackHandshake(guard, {
      path: SOCIAL_CALLBACK_PATH,
      accounts,
      tokenHashOf: (account) => account.verifyTokenHash,
    })(app)
    signedCallback(guard, {
      path: SOCIAL_CALLBACK_PATH,
      signature: { header: 'x-hub-signature-256', shape: /^sha256=[0-9a-fA-F]{64}$/ },
      bodyLimitBytes: BODY_LIMIT_BYTES,
      accounts,
      secretOf: (account) => sealer.open(account.appSecretSealed),
      verify,
      receive,
    })(app)
  }
