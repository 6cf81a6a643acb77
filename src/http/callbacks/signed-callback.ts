/**
 * Where a far side reports to us: one address for each workspace, signed over the raw bytes. Callers have no key, so nothing of
 * a body is read before the workspace is known to be connected and the signature has its shape; bodies then share one budget
 * of memory (docs/decisions/rate-limits.md). The bytes are verified as they came, stored, and answered; the work
 * is done elsewhere.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../core/errors.ts'
import { isUuid } from '../../core/ids.ts'
import { noteRefusal, sendRefusal } from '../answer.ts'
import { hearOut } from '../hear-out.ts'
import type { BodyBudget } from './body-budget.ts'
import type { RefusedCallbacks } from './refused-callbacks.ts'

/** What all callbacks of a process share. */
export type CallbackGuard = {
  budget: BodyBudget
  refused: RefusedCallbacks
  onError(error: unknown): void
}

/** What a workspace is connected by, each with a secret of its own; a far side's numbers or accounts. */
export type Accounts<Account> = {
  /** None when the workspace is not connected, or not there. */
  list(workspaceId: string): Promise<Account[]>
  /** Whether they are remembered in this process, so that asking for them costs nothing. */
  remembers(workspaceId: string): boolean
}

export type SignedCallback<Account> = {
  /** The workspace's id follows. */
  path: string
  /** The header that signs the body, and what every signature looks like. */
  signature: { header: string; shape: RegExp }
  bodyLimitBytes: number
  accounts: Accounts<Account>
  /** What an account signs with. */
  secretOf(account: Account): string
  /** Whether a signature is that of the bytes, in constant time. */
  verify(bytes: Buffer, signature: string, secret: string): boolean
  /**
   * Stores durably what the far side says to the accounts that signed it (there is one); nothing is done about it yet. Throws
   * SyntaxError for what is not JSON.
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
    /** Of a callback: who it may be from. */
    admitted: unknown
  }
}

/** A caller whose head was in order. */
type Admitted<Account> = { workspaceId: string; signature: string; accounts: Account[] }

/**
 * The accounts of the workspace that a callback's address names. Whoever names none is refused, and so is an address that
 * named none too often.
 */
export async function accountsOf<Account>(
  { refused }: CallbackGuard,
  accounts: Accounts<Account>,
  request: FastifyRequest<{ Params: Params }>,
): Promise<{ workspaceId: string; accounts: Account[] }> {
  // One workspace is one, however its id is written: what is remembered of it is forgotten by this spelling.
  const workspaceId = request.params.workspaceId.toLowerCase()
  if (!isUuid(workspaceId)) throw refused.refusal(request)
  if (!accounts.remembers(workspaceId)) refused.check(request)
  const found = await accounts.list(workspaceId)
  if (found.length === 0) throw refused.refusal(request)
  return { workspaceId, accounts: found }
}

/** The accounts whose secret signed the bytes. Accounts may share theirs: it is tried once. */
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

/** Mounts the callback of one far side. */
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
        await callback.receive({ workspaceId: caller.workspaceId, bytes, signers, headers })
        return reply.send({ ok: true })
      } catch (error) {
        const fault =
          error instanceof SyntaxError ? new Refusal('invalid_json', "The body isn't valid JSON.") : error
        const refusal = noteRefusal(request, fault, guard.onError)
        await hearOut(request)
        return sendRefusal(reply, refusal)
      }
    }
    void app.register(async (scope) => {
      scope.decorateRequest('admitted', null)
      scope.removeAllContentTypeParsers()
      // Collected by `handle`, within the budget.
      scope.addContentTypeParser('application/json', (_request, payload, done) => done(null, payload))
      scope.post<{ Params: Params }>(`${callback.path}/:workspaceId`, { onRequest: enter }, handle)
    })
  }
