import type { IncomingMessage } from 'node:http'
import { readParameters } from '../request-body.ts'
import { controls, NotThere, type SimulatorState } from './control.ts'
import { type ControlAnswer, controlListener, faultRefusal, refusal, tokenOf } from './control-answers.ts'
import { UnfitFile } from './inbound-messages.ts'

const prefix = '/_simulator'

/** Returns whether a request is for the control API, and not for the simulated operator. */
export const isControl = (req: IncomingMessage): boolean => req.url?.startsWith(`${prefix}/`) ?? false

/**
 * Answers control calls: JSON in and out, with the token of any number. A wrong field is a 400 that names it.
 * An answer without data is `{ ok: true }`.
 */
export const controlHandler = (state: SimulatorState) =>
  controlListener((req) => answerControl(state, req), refusalOf)

async function answerControl(state: SimulatorState, req: IncomingMessage): Promise<ControlAnswer> {
  const url = new URL(req.url ?? '/', 'http://localhost')
  const path = url.pathname.slice(prefix.length)
  const parameters = await readParameters(req, new URLSearchParams())
  const token = tokenOf(req)
  if (token === undefined || !(await state.store.findNumberByToken(token)))
    return refusal(401, 'Give the token of a number as Authorization: Bearer.')
  if (!parameters.ok) return refusal(400, 'The body is not a JSON object.')
  const key = `${req.method} ${path}`
  const [, start, id] = /^(.*)\/([^/]+)$/.exec(key) ?? []
  const control = Object.hasOwn(controls, key) ? controls[key] : controls[`${start}/:id`]
  if (control === undefined) return refusal(404, `There is no control call ${key}.`)
  const answered = await control(state, {
    body: parameters.values,
    query: url.searchParams,
    id: id ?? '',
  })
  return { status: 200, body: answered ?? { ok: true } }
}

function refusalOf(error: unknown): ControlAnswer {
  if (error instanceof NotThere) return refusal(404, error.message)
  if (error instanceof UnfitFile) return { status: 400, body: error.answer.body }
  return faultRefusal(error)
}
