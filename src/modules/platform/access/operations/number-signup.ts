/** Hosted signups of numbers: their beginning, their view, and the return from the operator's page (DECISIONS.md). */
import { DAY_MS, HOUR_MS, later, realTime } from '../../../../core/clock.ts'
import type { Context, MemberActor, OutsideContext, Tx } from '../../../../core/context.ts'
import type { AnsweringContext } from '../../../../core/endpoint.ts'
import { refuse } from '../../../../core/errors.ts'
import { isUuid, newId } from '../../../../core/ids.ts'
import type { Sealer } from '../../../../core/sealing.ts'
import { hashToken, newToken } from '../../../../core/session.ts'
import { sameHash } from '../../../../core/values/api-key.ts'
import { shortTextOrNull } from '../../../../core/values/storable.ts'
import type { OperatorSignup } from '../../../../operator/signup-port.ts'
import { refuseRealNumber } from '../../workspaces/operations/phone-numbers.ts'
import {
  deleteSignup,
  findSignup,
  findSignupForUpdate,
  insertSignup,
  listSignupRows,
  type SignupRow,
  updateSignup,
} from '../queries/number-signups.ts'

/** The time for the operator's page, where an owner may create an account and verify a number. */
const PAGE_MS = HOUR_MS
/** The time in which a signup can continue after the owner returned. */
const RETURNED_MS = DAY_MS
const SHOWN = 20
const MAX_CODE_LENGTH = 4_000
const MAX_PROBLEM_LENGTH = 500

/** The final steps. */
export const ENDS: readonly SignupRow['step'][] = ['connected', 'cancelled', 'failed']

/** A change that ends a signup or starts it again deletes the secrets. */
export const WITHOUT_SECRETS = { codeSealed: null, tokenSealed: null, pinSealed: null } as const

export const shortProblem = (text: unknown): string | null => shortTextOrNull(text, MAX_PROBLEM_LENGTH)

function memberOf({ actor }: { actor: Context['actor'] }): MemberActor {
  if (actor.kind !== 'member') throw new Error('only a session reaches this')
  return actor
}

function stateOf(row: SignupRow, now: Date) {
  if (row.step === 'opened') return row.expiresAt <= now ? 'failed' : 'open'
  if (
    row.step === 'choosing' ||
    row.step === 'connected' ||
    row.step === 'cancelled' ||
    row.step === 'failed'
  )
    return row.step
  return row.attemptUntil !== null && row.attemptUntil > now ? 'working' : 'unfinished'
}

/** Returns a signup as its admin sees it. */
export function showSignup(row: SignupRow, now: Date) {
  const state = stateOf(row, now)
  const isLate = row.step === 'opened' && state === 'failed'
  const chosen = row.numbers.find(({ operatorId }) => operatorId === row.operatorId)
  return {
    id: row.id,
    state,
    keepsPhoneApp: row.keepsPhoneApp,
    numbers:
      state === 'choosing'
        ? row.numbers.map(({ operatorId, number, displayName }) => ({ operatorId, number, displayName }))
        : [],
    number: chosen?.number ?? null,
    phoneNumberId: row.phoneNumberId,
    problem: isLate
      ? { reason: 'expired' as const, message: null }
      : row.problem === null
        ? null
        : { reason: row.problem, message: row.problemText },
    createdAt: row.createdAt.toISOString(),
  }
}
export type ShownSignup = ReturnType<typeof showSignup>

const unknown = (id: string): never =>
  refuse('not_found', `Signup ${id} not found. Start again in Settings → Numbers.`)

/** Finds a signup of the caller; signups of other members are not found. */
async function findOwn(
  ctx: Context,
  id: string,
  find: (tx: Tx, key: { workspaceId: string; id: string }) => Promise<SignupRow | undefined>,
): Promise<SignupRow> {
  const row = isUuid(id)
    ? await find(ctx.tx, { workspaceId: ctx.workspace.id, id: id.toLowerCase() })
    : undefined
  return row && row.memberId === memberOf(ctx).memberId ? row : unknown(id)
}

export const findOwnForUpdate = (ctx: Context, id: string): Promise<SignupRow> =>
  findOwn(ctx, id, findSignupForUpdate)

/** Returns the installation's app at the operator. Refuses `not_available` without one. */
export const appOf = ({ outside }: Pick<OutsideContext, 'outside'>): OperatorSignup =>
  outside.operatorSignup ??
  refuse(
    'not_available',
    "The operator's signup isn't set up. Set PARLEY_OPERATOR_APP_ID, PARLEY_OPERATOR_APP_SECRET, and PARLEY_OPERATOR_CONFIG_ID, or enter the number's credentials.",
  )

/** Begins a signup: returns the address of the operator's page. */
export async function startSignup(
  ctx: AnsweringContext<{ signup: ShownSignup; url: string }>,
  { keepsPhoneApp }: { keepsPhoneApp: boolean },
): Promise<{ signup: ShownSignup; url: string }> {
  const { workspace } = ctx
  refuseRealNumber(workspace, 'cloud')
  const app = appOf(ctx)
  const { memberId, sessionId } = memberOf(ctx)
  const id = newId()
  const secret = newToken()
  // The workspace comes first, so that the return finds the row by its key.
  const url = app.dialogUrl({ state: `${workspace.id}.${id}.${secret}`, keepsPhoneApp })
  return ctx.lastTransaction(async (tenant) => {
    const now = realTime(tenant.now, workspace)
    await insertSignup(tenant.tx, {
      id,
      workspaceId: workspace.id,
      memberId,
      sessionId,
      keepsPhoneApp,
      stateHash: hashToken(secret),
      step: 'opened',
      createdAt: now,
      updatedAt: now,
      expiresAt: later(now, PAGE_MS),
    })
    const row = await findOwn(tenant, id, findSignup)
    return { signup: showSignup(row, now), url }
  })
}

const realNow = (ctx: Context): Date => realTime(ctx.now, ctx.workspace)

/** Lists the caller's signups of the last day, newest first. */
export async function listSignups(ctx: Context): Promise<ShownSignup[]> {
  const { memberId } = memberOf(ctx)
  const rows = await listSignupRows(ctx.tx, { workspaceId: ctx.workspace.id, memberId, limit: SHOWN })
  const now = realNow(ctx)
  return rows.map((row) => showSignup(row, now))
}

export const getSignup = async (ctx: Context, id: string): Promise<ShownSignup> =>
  showSignup(await findOwn(ctx, id, findSignup), realNow(ctx))

/** Deletes a signup with its secrets. A number that it connected stays. */
export async function discardSignup(ctx: Context, id: string): Promise<void> {
  await deleteSignup(ctx.tx, await findOwnForUpdate(ctx, id))
}

/** The operator's answer in the browser of the owner. */
type SignupReturn = {
  state: string
  code: string | undefined
  /** The operator's description of a refusal, or of the owner's. */
  error: { reason: string; text: string } | undefined
  sessionId: string | undefined
  now: Date
}

const STATE = /^([0-9a-f-]{36})\.([0-9a-f-]{36})\.([A-Za-z0-9_-]{43})$/

/** Reads the ids in the state that the operator returns; undefined if it is none of ours. */
export function readSignupState(
  state: string,
): { workspaceId: string; id: string; secret: string } | undefined {
  const [, workspaceId = '', id = '', secret = ''] = STATE.exec(state) ?? []
  return isUuid(workspaceId) && isUuid(id) ? { workspaceId, id, secret } : undefined
}

/**
 * Stores the operator's answer. Returns false for an answer that is of no use: of an unknown or expired signup, or of another
 * session. An answer that arrives again changes nothing.
 */
export async function recordSignupReturn(
  tx: Tx,
  { state, code, error, sessionId, now }: SignupReturn,
  sealer: Pick<Sealer, 'seal'>,
): Promise<boolean> {
  const named = readSignupState(state)
  const row = named && (await findSignupForUpdate(tx, named))
  if (!row || row.sessionId !== sessionId || !sameHash(row.stateHash, hashToken(named.secret))) return false
  if (row.step !== 'opened') return true
  if (row.expiresAt <= now) return false
  const isCode = error === undefined && code !== undefined && code !== '' && code.length <= MAX_CODE_LENGTH
  await updateSignup(tx, row, {
    ...(isCode
      ? { step: 'returned', codeSealed: sealer.seal(code) }
      : error?.reason === 'user_denied'
        ? { step: 'cancelled', problemText: null }
        : { step: 'failed', problem: 'refused', problemText: shortProblem(error?.text) }),
    updatedAt: now,
    expiresAt: later(now, RETURNED_MS),
  })
  return true
}
