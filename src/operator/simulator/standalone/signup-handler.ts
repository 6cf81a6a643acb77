/**
 * Plays the operator's hosted signup: the page on which an owner shares an account, the exchange of its code, and the
 * description of a token (docs/simulator.md).
 */
import { randomInt } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '../../../core/clock.ts'
import { type GraphAnswer, graphError, notSimulated } from '../graph-errors.ts'
import { readTarget, type SimulatorLog, writeAnswer } from '../handler.ts'
import { readParameters } from '../request-body.ts'
import type { Beside } from '../start.ts'
import { numberInGoodHealth, type SimulatedNumber } from '../store.ts'
import type { TimerStore } from '../timer-store.ts'
import { tokenOf } from './control-answers.ts'
import type { Faults } from './faults.ts'
import { outcomePlayer } from './play-outcomes.ts'
import { createGrants, type Grants, type SimulatedApp } from './signup-grants.ts'
import { faultPage, type OfferedAccount, signupPage } from './signup-page.ts'
import type { Tally } from './tally.ts'

type Parts = {
  app: SimulatedApp
  clock: Clock
  store: TimerStore
  faults: Faults
  tally: Tally
  throttleStatus: () => number
  log?: SimulatorLog | undefined
}

type Values = Record<string, unknown>
type Target = ReturnType<typeof readTarget>

const digits = (length: number): string => Array.from({ length }, () => randomInt(1, 10)).join('')

const htmlAnswer = (status: number, text: string): GraphAnswer => ({
  status,
  bytes: Buffer.from(text),
  headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
})

/** Returns the handler of the signup, and a function that ends calls that hang. */
export function signupHandler(parts: Parts): Beside & { close(): void } {
  const { app, clock, store, faults, tally, log } = parts
  const grants = createGrants(app, clock, (accountId) =>
    store.numbers.filter((number) => number.accountId === accountId),
  )
  /** Accounts without a number, which the store does not know. */
  const empty = new Set<string>()
  const outcomes = outcomePlayer(parts.throttleStatus)
  const hanging = new Set<ServerResponse>()

  const nameOf = ({ id, edge }: Target): string => (edge === '' ? `${id}` : `${id}/${edge}`)

  /** Runs a call of the API with the faults that are set for it. */
  async function playCall(name: string, run: () => GraphAnswer): Promise<GraphAnswer> {
    tally.called(name)
    const call = { number: { accountId: '' } }
    const outcome = faults.take({ name, number: '', to: undefined, type: undefined }, false)
    if (outcome && 'delayMs' in outcome) await wait(outcome.delayMs)
    const refusal = outcome && outcomes.before(outcome, call)
    if (refusal) return refusal
    const answer = run()
    return outcomes.after(call, answer) ?? answer
  }

  async function answer(req: IncomingMessage): Promise<GraphAnswer> {
    const target = readTarget(req.url ?? '/')
    const parameters = await readParameters(req, target.query)
    if (!parameters.ok) return parameters.answer
    const { values } = parameters
    const name = nameOf(target)
    const token = tokenOf(req) ?? (typeof values.access_token === 'string' ? values.access_token : undefined)
    if (name === 'dialog/oauth')
      return showDialog({ ...parts, grants, empty }, req.method ?? 'GET', target, values)
    if (name === 'oauth/access_token') return playCall(`${req.method} ${name}`, () => grants.exchange(values))
    if (name === 'debug_token') return playCall(`${req.method} ${name}`, () => grants.describe(values, token))
    return playCall(`${req.method} ${target.edge}`, () => answerEmpty(grants, target, token))
  }

  return {
    handles: (req) => {
      const target = readTarget(req.url ?? '/')
      return (
        ['dialog/oauth', 'oauth/access_token', 'debug_token'].includes(nameOf(target)) ||
        empty.has(target.id ?? '')
      )
    },
    handle: (req, res) => {
      answer(req)
        .then((played) => {
          if (played.ending === 'close') res.destroy()
          else if (played.ending === 'hang') hanging.add(res.on('close', () => hanging.delete(res)))
          else writeAnswer(res, played, readTarget(req.url ?? '/').version)
        })
        .catch((error: unknown) => {
          log?.('simulator: a call of the signup failed', error)
          res.destroy()
        })
    },
    close: () => {
      for (const res of hanging) res.destroy()
    },
  }
}

/** Answers for an account without numbers. */
function answerEmpty(grants: Grants, { id = '', edge }: Target, token: string | undefined): GraphAnswer {
  if (!grants.covers(token, id)) return graphError(190, 'Invalid OAuth access token', { status: 401 })
  return edge === 'phone_numbers'
    ? { status: 200, body: { data: [] } }
    : notSimulated(`${edge} of an empty account`)
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Shows the page, or sends the browser back with its answer. */
function showDialog(
  parts: Pick<Parts, 'store' | 'clock'> & { grants: Grants; empty: Set<string> },
  method: string,
  target: Target,
  values: Values,
): GraphAnswer {
  const { app } = parts.grants
  const redirect = typeof values.redirect_uri === 'string' ? URL.parse(values.redirect_uri) : null
  if (values.client_id !== app.id) return htmlAnswer(400, faultPage('Invalid app ID.'))
  if (values.config_id !== app.configId) return htmlAnswer(400, faultPage('Invalid configuration ID.'))
  if (redirect === null || !/^https?:$/.test(redirect.protocol))
    return htmlAnswer(400, faultPage('The redirect URI of the app is invalid.'))
  if (values.response_type !== 'code') return htmlAnswer(400, faultPage('Invalid response type.'))
  const keepsPhoneApp = textOf(values.extras).includes('whatsapp_business_app_onboarding')
  if (method !== 'POST')
    return htmlAnswer(
      200,
      signupPage({
        action: `/dialog/oauth?${target.query}`,
        accounts: accountsOf(parts.store.numbers),
        newNumber: `+1555${digits(7)}`,
        keepsPhoneApp,
      }),
    )
  const redirectUri = String(values.redirect_uri)
  const answer = answerOf(parts, { values, keepsPhoneApp, redirectUri })
  if (typeof answer === 'string') return htmlAnswer(400, faultPage(answer))
  for (const [name, value] of Object.entries({ ...answer, state: textOf(values.state) }))
    redirect.searchParams.set(name, value)
  return {
    status: 303,
    bytes: Buffer.alloc(0),
    headers: { location: redirect.href, 'cache-control': 'no-store' },
  }
}

const CANCELLED = {
  error: 'access_denied',
  error_code: '200',
  error_description: 'Permissions error',
  error_reason: 'user_denied',
}
const BROKEN = {
  error_code: '524126',
  error_message: 'The operator could not finish the signup. Try again later.',
}

/** Returns the parameters of the operator's answer, or a problem with the form. */
function answerOf(
  { store, clock, grants, empty }: Pick<Parts, 'store' | 'clock'> & { grants: Grants; empty: Set<string> },
  { values, keepsPhoneApp, redirectUri }: { values: Values; keepsPhoneApp: boolean; redirectUri: string },
): Record<string, string> | string {
  if (values.action === 'cancel') return CANCELLED
  if (values.action === 'error') return BROKEN
  const share = (accountId: string) => ({ code: grants.issueCode(accountId, redirectUri) })
  if (values.account === 'empty') {
    const accountId = digits(15)
    empty.add(accountId)
    return share(accountId)
  }
  if (values.account !== 'new') {
    const known = store.numbers.some(({ accountId }) => accountId === values.account)
    return known ? share(String(values.account)) : 'Choose an account.'
  }
  const displayNumber = textOf(values.number).replace(/\D/g, '')
  if (!/^\d{7,15}$/.test(displayNumber)) return 'Enter a number with its country code.'
  const number: SimulatedNumber = {
    operatorId: digits(15),
    accountId: digits(15),
    token: `own-${digits(20)}`,
    displayNumber,
    onboardedAt: clock.now(),
    inPhoneApp: keepsPhoneApp,
    state: {
      ...numberInGoodHealth,
      // A number of the phone app is registered there.
      status: keepsPhoneApp ? 'CONNECTED' : 'PENDING',
      verifiedName: textOf(values.name).slice(0, 100) || 'Asha Stores',
    },
  }
  store.numbers.push(number)
  return share(number.accountId)
}

function accountsOf(numbers: readonly SimulatedNumber[]): OfferedAccount[] {
  const accounts = new Map<string, string[]>()
  for (const { accountId, displayNumber } of numbers)
    accounts.set(accountId, [...(accounts.get(accountId) ?? []), `+${displayNumber}`])
  return [...accounts].map(([accountId, shown]) => ({ accountId, numbers: shown }))
}
