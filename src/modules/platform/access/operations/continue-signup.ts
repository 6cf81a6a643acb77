/** Continues a hosted signup after the owner returned: each step is one call to the operator, and is stored before the next. */
import { randomInt } from 'node:crypto'
import { later, realTime, SECOND_MS } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import type { AnsweringContext } from '../../../../core/endpoint.ts'
import { Refusal, refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { newId } from '../../../../core/ids.ts'
import { json } from '../../../../database/sql/sql.ts'
import type { Answered } from '../../../../operator/port.ts'
import type { OperatorSignup, SharedNumber, Subscription } from '../../../../operator/signup-port.ts'
import { recordActivity } from '../../workspaces/operations/activity.ts'
import { connectCloudNumber } from '../../workspaces/operations/connect-cloud-number.ts'
import { callbackTokenOf } from '../../workspaces/operations/phone-numbers.ts'
import { type SignupProblem, type SignupRow, updateSignup } from '../queries/number-signups.ts'
import {
  appOf,
  ENDS,
  findOwnForUpdate,
  type ShownSignup,
  shortProblem,
  showSignup,
  WITHOUT_SECRETS,
} from './number-signup.ts'
import { operatorCallbackUrl } from './numbers.ts'

/** Longer than the longest wait for the operator. After a crash, a signup can continue when this time is over. */
const ATTEMPT_MS = 30 * SECOND_MS

/** The operator's subcodes for a code that has expired, or that was used before. */
const SPENT_CODE: readonly (number | undefined)[] = [36_007, 36_009]
/** The operator's code for a two-step PIN that differs from the number's. */
const WRONG_PIN = 133_005

type SignupInput = { operatorId?: string | undefined; pin?: string | undefined }

/** A signup with its secrets in plain text. */
type OpenedSignup = {
  row: SignupRow
  code: string | null
  token: string | null
  pin: string | null
  subscription: Subscription
}

type Change = Parameters<typeof updateSignup>[2]
/** The result of a step: the next step follows, or the signup ends or waits. */
type Outcome = { change: Change; continues: boolean }

function opened(ctx: Context, row: SignupRow): OpenedSignup {
  const open = (sealed: Buffer | null) => (sealed === null ? null : ctx.sealer.open(sealed))
  return {
    row,
    code: open(row.codeSealed),
    token: open(row.tokenSealed),
    pin: open(row.pinSealed),
    subscription: {
      callbackUrl: operatorCallbackUrl(ctx),
      verifyToken: callbackTokenOf(ctx.sealer, ctx.workspace.id),
    },
  }
}

const fail = (problem: SignupProblem, text: string | null = null): Outcome => ({
  change: { step: 'failed', problem, problemText: text, ...WITHOUT_SECRETS },
  continues: false,
})
/** The step can be repeated. */
const pause = (problem: SignupProblem, text: string | null = null): Outcome => ({
  change: { problem, problemText: text },
  continues: false,
})
const next = (change: Change): Outcome => ({
  change: { problem: null, problemText: null, ...change },
  continues: true,
})

type Failed = Exclude<Answered<unknown>, { kind: 'done' }>

/** Returns the operator's words for people. */
const wordsOf = ({ error }: Extract<Failed, { kind: 'refused' }>): string | null =>
  shortProblem(error.details === null ? error.message : `${error.message}: ${error.details}`)

const waitAfter = (failed: Failed): Outcome =>
  failed.kind === 'refused' ? pause('refused', wordsOf(failed)) : pause('no_answer')

const newPin = (): string => String(randomInt(1_000_000)).padStart(6, '0')

/** Returns the change that chooses a number. Its PIN is stored before the operator learns it. */
const choose = (ctx: Pick<Context, 'sealer'>, { operatorId }: SharedNumber, pin = newPin()): Change => ({
  step: 'chosen',
  operatorId,
  pinSealed: ctx.sealer.seal(pin),
})

type Step = (
  ctx: AnsweringContext<ShownSignup>,
  app: OperatorSignup,
  signup: OpenedSignup,
) => Promise<(tenant: Context) => Outcome>

const exchange: Step = async (_ctx, app, { code }) => {
  const answered = await app.exchangeCode(code!)
  if (answered.kind === 'done')
    return ({ sealer }) =>
      next({ step: 'exchanged', codeSealed: null, tokenSealed: sealer.seal(answered.value) })
  // A throttled exchange leaves the code usable.
  if (answered.kind !== 'refused' || answered.error.retryable) return () => waitAfter(answered)
  const isSpent = SPENT_CODE.includes(answered.error.subcode)
  return () => (isSpent ? fail('expired') : fail('refused', wordsOf(answered)))
}

const readNumbers: Step = async (_ctx, app, { token }) => {
  const accounts = await app.listAccounts(token!)
  if (accounts.kind !== 'done') return () => waitAfter(accounts)
  const numbers: SharedNumber[] = []
  for (const listed of await Promise.all(accounts.value.map((id) => app.listNumbers(token!, id)))) {
    if (listed.kind !== 'done') return () => waitAfter(listed)
    numbers.push(...listed.value)
  }
  const [first] = numbers
  if (!first) return () => fail('no_number')
  return (tenant) => {
    const change = { numbers: json(numbers) }
    return numbers.length === 1
      ? next({ ...change, ...choose(tenant, first) })
      : { ...next({ ...change, step: 'choosing' }), continues: false }
  }
}

const subscribe: Step = async ({ workspace, outside }, app, { row, token, subscription }) => {
  const number = chosenIn(row)
  if (await outside.isConnectedElsewhere(workspace.id, number)) return () => elsewhere(row)
  const answered = await app.subscribe(token!, number.accountId, subscription)
  return () => (answered.kind === 'done' ? next({ step: 'subscribed' }) : waitAfter(answered))
}

const register: Step = async (_ctx, app, { row, token, pin }) => {
  const number = chosenIn(row)
  if (!number.mustRegister) return () => next({ step: 'registered' })
  const answered = await app.register(token!, number.operatorId, pin!)
  if (answered.kind === 'done') return () => next({ step: 'registered' })
  return () =>
    answered.kind === 'refused' && answered.error.code === WRONG_PIN
      ? pause('pin', wordsOf(answered))
      : waitAfter(answered)
}

/** The call that follows a step. */
const STEPS: Partial<Record<SignupRow['step'], Step>> = {
  returned: exchange,
  exchanged: readNumbers,
  chosen: subscribe,
  subscribed: register,
}

function chosenIn({ numbers, operatorId }: SignupRow): SharedNumber {
  const chosen = numbers.find((number) => number.operatorId === operatorId)
  if (!chosen) throw new Error('the signup has no chosen number')
  return chosen
}

/** Lets the owner choose another number, if they shared several. */
const elsewhere = ({ numbers }: SignupRow): Outcome =>
  numbers.length === 1
    ? fail('elsewhere')
    : {
        change: { step: 'choosing', operatorId: null, problem: 'elsewhere', problemText: null },
        continues: false,
      }

/** Takes a signup for `attempt`, with the caller's choice. Another request may be working on it: then it stays as it is. */
async function begin(
  ctx: Context,
  id: string,
  { operatorId, pin }: SignupInput,
  attempt: string,
): Promise<SignupRow> {
  const row = await findOwnForUpdate(ctx, id)
  const now = realTime(ctx.now, ctx.workspace)
  const isTaken = row.attemptUntil !== null && row.attemptUntil > now
  if (isTaken || row.step === 'opened' || ENDS.includes(row.step)) return row
  const change: Change = {}
  if (row.step === 'choosing') {
    if (operatorId === undefined) return row
    const number = row.numbers.find((shared) => shared.operatorId === operatorId)
    if (!number)
      return refuse(
        'invalid_reference',
        "This number isn't one of the shared numbers. Choose one of `numbers`.",
      )
    Object.assign(change, choose(ctx, number, pin))
  } else if (pin !== undefined) change.pinSealed = ctx.sealer.seal(pin)
  return updateSignup(ctx.tx, row, {
    ...change,
    problem: null,
    problemText: null,
    attempt,
    attemptUntil: later(now, ATTEMPT_MS),
    updatedAt: now,
  })
}

/** Stores an outcome, unless another request has taken over the signup. */
async function store(ctx: Context, id: string, attempt: string, outcome: Outcome): Promise<SignupRow> {
  const row = await findOwnForUpdate(ctx, id)
  if (row.attempt !== attempt) return row
  const now = realTime(ctx.now, ctx.workspace)
  const released = outcome.continues
    ? { attemptUntil: later(now, ATTEMPT_MS) }
    : { attempt: null, attemptUntil: null }
  return updateSignup(ctx.tx, row, { ...outcome.change, ...released, updatedAt: now })
}

/** Stores the number with its credentials: the last step. */
async function connect(ctx: Context, id: string, attempt: string, app: OperatorSignup): Promise<SignupRow> {
  const row = await findOwnForUpdate(ctx, id)
  if (row.attempt !== attempt) return row
  const { accountId, operatorId, number, displayName } = chosenIn(row)
  const { token, subscription } = opened(ctx, row)
  const { phoneNumberId, isNew } = await connectCloudNumber(
    ctx.tx,
    {
      workspaceId: ctx.workspace.id,
      number,
      displayName: displayName ?? number,
      accountId,
      operatorId,
      token: token!,
      appSecret: app.appSecret,
      verifyToken: subscription.verifyToken,
    },
    realTime(ctx.now, ctx.workspace),
    ctx.sealer,
  )
  if (isNew) await recordActivity(ctx, 'number.added', { phoneNumberId, operator: 'cloud' })
  else await recordActivity(ctx, 'number.changed', { phoneNumberId, changed: ['token', 'appSecret'] })
  touch(ctx, { number: phoneNumberId })
  return store(ctx, id, attempt, {
    change: { step: 'connected', phoneNumberId, problem: null, problemText: null, ...WITHOUT_SECRETS },
    continues: false,
  })
}

/**
 * Continues a signup to its end, or to a question: which number, or which PIN. A signup that waits can be
 * continued again, also after a crash. Refuses `not_found`, `not_available`, and `invalid_reference`.
 */
export async function continueSignup(
  ctx: AnsweringContext<ShownSignup>,
  id: string,
  input: SignupInput,
): Promise<ShownSignup> {
  const attempt = newId()
  const show = (tenant: Context, row: SignupRow) => showSignup(row, realTime(tenant.now, tenant.workspace))
  let signup = await ctx.transaction(async (tenant) =>
    opened(tenant, await begin(tenant, id, input, attempt)),
  )
  if (signup.row.attempt !== attempt)
    return ctx.lastTransaction(async (tenant) => show(tenant, await findOwnForUpdate(tenant, id)))
  const app = appOf(ctx)
  for (let call = STEPS[signup.row.step]; call; call = STEPS[signup.row.step]) {
    const outcomeOf = await call(ctx, app, signup)
    const stored = await ctx.transaction(async (tenant) => {
      const outcome = outcomeOf(tenant)
      const row = await store(tenant, id, attempt, outcome)
      return { signup: opened(tenant, row), continues: outcome.continues && row.attempt === attempt }
    })
    signup = stored.signup
    if (!stored.continues) return ctx.lastTransaction(async (tenant) => show(tenant, signup.row))
  }
  try {
    return await ctx.lastTransaction(async (tenant) => show(tenant, await connect(tenant, id, attempt, app)))
  } catch (error) {
    // Another workspace connected the number meanwhile.
    if (!(error instanceof Refusal) || error.code !== 'conflict') throw error
    return ctx.lastTransaction(async (tenant) =>
      show(tenant, await store(tenant, id, attempt, fail('elsewhere'))),
    )
  }
}
