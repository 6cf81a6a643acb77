import type { IncomingMessage } from 'node:http'
import { readParameters } from '../../../operator/simulator/request-body.ts'
import {
  type ControlAnswer,
  controlListener,
  faultRefusal,
  refusal,
  tokenOf,
} from '../../../operator/simulator/standalone/control-answers.ts'
import { controls, type SimulatorState } from './control.ts'

const PREFIX = '/_simulator'

/** Returns whether a request is for the control API, and not for the simulated network. */
export const isControl = (req: IncomingMessage): boolean => req.url?.startsWith(`${PREFIX}/`) ?? false

/**
 * Answers control calls: JSON in and out, with the account's token. A wrong field is a 400 that names it. An
 * answer without data is `{ ok: true }`.
 */
export const controlHandler = (state: SimulatorState) =>
  controlListener((req) => answerControl(state, req), faultRefusal)

async function answerControl(state: SimulatorState, req: IncomingMessage): Promise<ControlAnswer> {
  const path = new URL(req.url ?? '/', 'http://localhost').pathname.slice(PREFIX.length)
  const parameters = await readParameters(req, new URLSearchParams())
  const token = tokenOf(req)
  const account = token === undefined ? undefined : await state.store.findAccountByToken(token)
  if (!account) return refusal(401, "Give the account's token as Authorization: Bearer.")
  if (!parameters.ok) return refusal(400, 'The body is not a JSON object.')
  const name = `${req.method} ${path}`
  const control = Object.hasOwn(controls, name) ? controls[name] : undefined
  if (!control) return refusal(404, `There is no control call ${name}.`)
  return { status: 200, body: (await control(state, account, parameters.values)) ?? { ok: true } }
}
