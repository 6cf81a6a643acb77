/** The operator's callback (docs/formats.md section 1): the handshake and the updates. */
import type { FastifyInstance } from 'fastify'
import type { Sealer } from '../../core/sealing.ts'
import type { Directory } from '../../modules/platform/workspaces/directory.ts'
import {
  callbackTokenOf,
  type NumberRecord,
  OPERATOR_CALLBACK_PATH,
} from '../../modules/platform/workspaces/operations/phone-numbers.ts'
import { callbackHandshake } from './handshake.ts'
import { type CallbackGuard, type SignedCallback, signedCallback } from './signed-callback.ts'

export type OperatorIntake = Pick<SignedCallback<NumberRecord>, 'verify' | 'receive'> & {
  directory: Directory
  sealer: Sealer
}

/** The operator sends up to 1,000 updates or 3 MB in one request. */
const BODY_LIMIT_BYTES = 4 * 1024 * 1024

/** Registers the callback routes. */
export const operatorCallback =
  (guard: CallbackGuard, { directory, sealer, verify, receive }: OperatorIntake) =>
  (app: FastifyInstance): void => {
    const accounts = { list: directory.numbers, remembers: directory.remembersNumbers }
    callbackHandshake(guard, {
      path: OPERATOR_CALLBACK_PATH,
      accounts,
      tokenHashOf: (number) => number.verifyTokenHash,
      ownTokenOf: (workspaceId) => callbackTokenOf(sealer, workspaceId),
    })(app)
    signedCallback(guard, {
      path: OPERATOR_CALLBACK_PATH,
      signature: { header: 'x-hub-signature-256', shape: /^sha256=[0-9a-fA-F]{64}$/ },
      bodyLimitBytes: BODY_LIMIT_BYTES,
      accounts,
      secretOf: (number) => sealer.open(number.appSecretSealed),
      verify,
      receive,
    })(app)
  }
