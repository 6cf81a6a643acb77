import type { IncomingMessage, ServerResponse } from 'node:http'
import { ZodError } from 'zod'
import { readParameters } from '../../../operator/simulator/request-body.ts'
import { controls, type Standing } from './control.ts'

const PREFIX = '/_simulator'

type Answer = { status: number; body: unknown }

/** Whether a request is for the control of the simulator, and not for the network that it plays. */
export const isControl = (req: IncomingMessage): boolean => req.url?.startsWith(`${PREFIX}/`) ?? false

/**
 * Answers control calls: JSON in and out, with the account's token. A wrong field is 400 naming it. An answer without
 * anything to say is `{ ok: true }`.
 */
export const controlHandler =
  (standing: Standing) =>
  (req: IncomingMessage, res: ServerResponse): void => {
    void answerControl(standing, req)
      .catch((error: unknown) => refusalOf(error))
      .then(({ status, body }) => {
        res.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
        res.end(JSON.stringify(body))
      })
  }

async function answerControl(standing: Standing, req: IncomingMessage): Promise<Answer> {
  const path = new URL(req.url ?? '/', 'http://localhost').pathname.slice(PREFIX.length)
  const parameters = await readParameters(req, new URLSearchParams())
  const token = /^(?:Bearer|OAuth)\s+(\S+)\s*$/i.exec(req.headers.authorization ?? '')?.[1]
  const account = token === undefined ? undefined : await standing.store.findAccountByToken(token)
  if (!account) return refusal(401, "Give the account's token as Authorization: Bearer.")
  if (!parameters.ok) return refusal(400, 'The body is not a JSON object.')
  const name = `${req.method} ${path}`
  const control = Object.hasOwn(controls, name) ? controls[name] : undefined
  if (!control) return refusal(404, `There is no control call ${name}.`)
  return { status: 200, body: (await control(standing, account, parameters.values)) ?? { ok: true } }
}

function refusalOf(error: unknown): Answer {
  if (error instanceof ZodError)
    return refusal(
      400,
      error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`).join('; '),
    )
  return refusal(500, error instanceof Error ? error.message : String(error))
}

const refusal = (status: number, message: string): Answer => ({ status, body: { error: { message } } })
