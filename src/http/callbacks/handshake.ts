/**
 * The handshake by which a network verifies a callback address: the server returns the challenge if the
 * caller sends the verify token.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { isUuid } from '../../core/ids.ts'
import { sameHash, sameSecret } from '../../core/values/api-key.ts'
import { sha256 } from '../../core/values/digest.ts'
import { type Accounts, accountsOf, type CallbackGuard } from './signed-callback.ts'

type Query = { 'hub.mode'?: string; 'hub.challenge'?: string; 'hub.verify_token'?: string }

export type Handshake<Account> = {
  /** The path without the workspace's ID, which follows. */
  path: string
  accounts: Accounts<Account>
  /** Returns the SHA-256 of the account's verify token. */
  tokenHashOf(account: Account): Buffer
  /** Returns the verify token of a workspace that has no account yet. */
  ownTokenOf?(workspaceId: string): string
}

/** Registers the handshake of one network's callback. */
export const callbackHandshake =
  <Account>(guard: CallbackGuard, handshake: Handshake<Account>) =>
  (app: FastifyInstance): void => {
    app.get<{ Params: { workspaceId: string }; Querystring: Query }>(
      `${handshake.path}/:workspaceId`,
      async (request, reply) => {
        const { 'hub.mode': mode, 'hub.challenge': challenge, 'hub.verify_token': token } = request.query
        if (mode !== 'subscribe' || typeof challenge !== 'string' || typeof token !== 'string')
          throw guard.refused.refusal(request)
        if (isOwnToken(handshake, request.params.workspaceId.toLowerCase(), token))
          return answer(reply, challenge)
        const { accounts } = await accountsOf(guard, handshake.accounts, request)
        const hash = sha256(token)
        if (!accounts.some((account) => sameHash(handshake.tokenHashOf(account), hash)))
          throw guard.refused.refusal(request)
        return answer(reply, challenge)
      },
    )
  }

const answer = (reply: FastifyReply, challenge: string): FastifyReply =>
  reply.type('text/plain; charset=utf-8').send(challenge)

const isOwnToken = (
  { ownTokenOf }: Pick<Handshake<unknown>, 'ownTokenOf'>,
  workspaceId: string,
  token: string,
): boolean => ownTokenOf !== undefined && isUuid(workspaceId) && sameSecret(ownTokenOf(workspaceId), token)
