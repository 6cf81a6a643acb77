import type { IncomingMessage, ServerResponse } from 'node:http'
import { ZodError } from 'zod'
import { readParameters } from '../request-body.ts'
import { controls, NotThere, type Standing } from './control.ts'
import { UnfitFile } from './customer-writes.ts'

const prefix = '/_simulator'

type Answer = { status: number; body: unknown }

/** Whether a request is for the control of the simulator, and not for the operator that it plays. */
export const isControl = (req: IncomingMessage): boolean => req.url?.startsWith(`${prefix}/`) ?? false

/**
 * Answers control calls: JSON in and out, with the token of any of the numbers. A wrong field is 400 naming it. An
 * answer without anything to say is `{ ok: true }`.
 */
export function controlHandler(standing: Standing): (req: IncomingMessage, res: ServerResponse) => void {
  return (req, res) => {
    void answerControl(standing, req)
      .catch((error: unknown) => refusalOf(error))
      .then(({ status, body }) => {
        res.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
        res.end(JSON.stringify(body))
      })
  }
}

async function answerControl(standing: Standing, req: IncomingMessage): Promise<Answer> {
  const url = new URL(req.url ?? '/', 'http://localhost')
  const path = url.pathname.slice(prefix.length)
  const parameters = await readParameters(req, new URLSearchParams())
  const token = /^(?:Bearer|OAuth)\s+(\S+)\s*$/i.exec(req.headers.authorization ?? '')?.[1]
  if (token === undefined || !(await standing.store.findNumberByToken(token)))
    return refusal(401, 'Give the token of a number as Authorization: Bearer.')
  if (!parameters.ok) return refusal(400, 'The body is not a JSON object.')
  const whole = `${req.method} ${path}`
  const [, start, id] = /^(.*)\/([^/]+)$/.exec(whole) ?? []
  const control = Object.hasOwn(controls, whole) ? controls[whole] : controls[`${start}/:id`]
  if (control === undefined) return refusal(404, `There is no control call ${whole}.`)
  const answered = await control(standing, {
    body: parameters.values,
    query: url.searchParams,
    id: id ?? '',
  })
  return { status: 200, body: answered ?? { ok: true } }
}

function refusalOf(error: unknown): Answer {
  if (error instanceof NotThere) return refusal(404, error.message)
  if (error instanceof UnfitFile) return { status: 400, body: error.answer.body }
  if (error instanceof ZodError)
    return refusal(
      400,
      error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`).join('; '),
    )
  return refusal(500, error instanceof Error ? error.message : String(error))
}

const refusal = (status: number, message: string): Answer => ({ status, body: { error: { message } } })
