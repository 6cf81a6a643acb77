/**
 * Receives signed reports of a network or gateway: one address per workspace (docs/decisions/rate-limits.md).
 * Callers have no key, so a body is read only for a connected workspace and a well-formed signature, within a
 * shared memory budget. The raw bytes are verified, stored, and answered; background work applies them.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../core/errors.ts'
import { isUuid } from '../../core/ids.ts'
import { recordRefusal, sendRefusal } from '../wire/answer.ts'
import { drainBody } from '../wire/drain-body.ts'
import type { BodyBudget } from './body-budget.ts'
import { type KeepMoving, keptAsMoving } from './keep-moving.ts'
import type { RefusedCallbacks } from './refused-callbacks.ts'

/** Shared by all callbacks of a process. */
export type CallbackGuard = {
  budget: BodyBudget
  refused: RefusedCallbacks
  moving: KeepMoving
  onError(error: unknown): void
}

/** The numbers or accounts that connect a workspace, each with its own secret. */
export type Accounts<Account> = {
  /** Returns an empty list if the workspace isn't connected or doesn't exist. */
  list(workspaceId: string): Promise<Account[]>
  /** Returns whether the accounts are in this process's memory, so that reading them costs nothing. */
  remembers(workspaceId: string): boolean
}

export type SignedCallback<Account> = {
  /** The path without the workspace's ID, which follows. */
  path: string
  /** The header with the signature, and the format of every signature. */
  signature: { header: string; shape: RegExp }
  bodyLimitBytes: number
  accounts: Accounts<Account>
  /** Returns the secret that the account signs with. */
  secretOf(account: Account): string
  /** Returns whether the signature matches the bytes, in constant time. */
  verify(bytes: Buffer, signature: string, secret: string): boolean
  /**
   * Stores the report durably for the accounts that signed it (at least one), without applying it. Throws
   * SyntaxError if it isn't JSON.
   */
  receive(call: ReceivedCall<Account>): Promise<void>
}

export type ReceivedCall<Account> = {
  workspaceId: string
  bytes: Buffer
  signers: Account[]
  headers: FastifyRequest['headers']
}

type Params = { workspaceId: string }

declare module 'fastify' {
  interface FastifyRequest {
    /** On callbacks: the accounts that may have sent it. */
    admitted: unknown
  }
}

/** A caller with a valid address and a well-formed signature. */
type Admitted<Account> = { workspaceId: string; signature: string; accounts: Account[] }

/**
 * Returns the accounts of the workspace in the callback's address. Refuses an unknown workspace, and a client
 * address with too many refusals.
 */
export async function accountsOf<Account>(
  { refused }: CallbackGuard,
  accounts: Accounts<Account>,
  request: FastifyRequest<{ Params: Params }>,
): Promise<{ workspaceId: string; accounts: Account[] }> {
  // One spelling per workspace ID, because the memory of its accounts is cleared by this spelling.
  const workspaceId = request.params.workspaceId.toLowerCase()
  if (!isUuid(workspaceId)) throw refused.refusal(request)
  if (!accounts.remembers(workspaceId)) refused.check(request)
  const found = await accounts.list(workspaceId)
  if (found.length === 0) throw refused.refusal(request)
  return { workspaceId, accounts: found }
}

/**
 * Returns the accounts whose secret signed the bytes. Accounts may share a secret, which is verified once.
 */
function signersOf<Account>(
  callback: SignedCallback<Account>,
  { accounts, signature }: Admitted<Account>,
  bytes: Buffer,
): Account[] {
  const tried = new Map<string, boolean>()
  return accounts.filter((account) => {
    const secret = callback.secretOf(account)
    const fits = tried.get(secret) ?? callback.verify(bytes, signature, secret)
    tried.set(secret, fits)
    return fits
  })
}

/** Registers the callback of one network or gateway. */
export const signedCallback =
  <Account>(guard: CallbackGuard, callback: SignedCallback<Account>) =>
  (app: FastifyInstance): void => {
    const enter = async (request: FastifyRequest<{ Params: Params }>): Promise<void> => {
      const signature = request.headers[callback.signature.header]
      if (typeof signature !== 'string' || !callback.signature.shape.test(signature))
        throw guard.refused.refusal(request)
      request.admitted = { signature, ...(await accountsOf(guard, callback.accounts, request)) }
    }
    const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const caller = request.admitted as Admitted<Account>
      try {
        const bytes = await guard.budget.collect(request.raw, reply.raw, callback.bodyLimitBytes)
        const signers = signersOf(callback, caller, bytes)
        if (signers.length === 0) throw guard.refused.refusal(request)
        const { headers } = request
        const { workspaceId } = caller
        await callback.receive({ workspaceId, bytes, signers, headers }).catch(async (error: unknown) => {
          if (!(await keptAsMoving(guard.moving, request, { error, workspaceId, body: bytes }))) throw error
        })
        return reply.send({ ok: true })
      } catch (error) {
        const fault =
          error instanceof SyntaxError ? new Refusal('invalid_json', "The body isn't valid JSON.") : error
        const refusal = recordRefusal(request, fault, guard.onError)
        await drainBody(request)
        return sendRefusal(reply, refusal)
      }
    }
    void app.register(async (scope) => {
      scope.decorateRequest('admitted', null)
      scope.removeAllContentTypeParsers()
      // `handle` collects the body within the memory budget.
      scope.addContentTypeParser('application/json', (_request, payload, done) => done(null, payload))
      scope.post<{ Params: Params }>(`${callback.path}/:workspaceId`, { onRequest: enter }, handle)
    })
  }
