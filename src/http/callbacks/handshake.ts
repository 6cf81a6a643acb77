/** How the network behind a callback makes sure that the address is ours: a challenge, given back to whoever knows the token. */
import type { FastifyInstance } from 'fastify'
import { sameHash } from '../../core/api-key.ts'
import { sha256 } from '../../core/digest.ts'
import { type Accounts, accountsOf, type CallbackGuard } from './signed-callback.ts'

type Query = { 'hub.mode'?: string; 'hub.challenge'?: string; 'hub.verify_token'?: string }

export type Handshake<Account> = {
  /** The workspace's id follows. */
  path: string
  accounts: Accounts<Account>
  /** SHA-256 of the token that the account was connected with. */
  tokenHashOf(account: Account): Buffer
}

/** Mounts the handshake of one far side's callback. */
export const callbackHandshake =
  <Account>(guard: CallbackGuard, handshake: Handshake<Account>) =>
  (app: FastifyInstance): void => {
    app.get<{ Params: { workspaceId: string }; Querystring: Query }>(
      `${handshake.path}/:workspaceId`,
      async (request, reply) => {
        const { 'hub.mode': mode, 'hub.challenge': challenge, 'hub.verify_token': token } = request.query
        if (mode !== 'subscribe' || typeof challenge !== 'string' || typeof token !== 'string')
          throw guard.refused.refusal(request)
        const { accounts } = await accountsOf(guard, handshake.accounts, request)
        const hash = sha256(token)
        if (!accounts.some((account) => sameHash(handshake.tokenHashOf(account), hash)))
          throw guard.refused.refusal(request)
        return reply.type('text/plain; charset=utf-8').send(challenge)
      },
    )
  }
