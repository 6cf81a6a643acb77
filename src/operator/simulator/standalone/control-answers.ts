/** Sends the answers of the control API of a standalone simulator: JSON, and refusals with a message. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ZodError } from 'zod'

export type ControlAnswer = { status: number; body: unknown }

export const refusal = (status: number, message: string): ControlAnswer => ({
  status,
  body: { error: { message } },
})

/** Answers a wrong field with a 400 that names it. */
export function faultRefusal(error: unknown): ControlAnswer {
  if (error instanceof ZodError)
    return refusal(
      400,
      error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`).join('; '),
    )
  return refusal(500, error instanceof Error ? error.message : String(error))
}

/** Returns the token of a call. */
export const tokenOf = (req: IncomingMessage): string | undefined =>
  /^(?:Bearer|OAuth)\s+(\S+)\s*$/i.exec(req.headers.authorization ?? '')?.[1]

/** Returns the listener that sends the result of `answer`, or the result of `refusalOf` if it throws. */
export const controlListener =
  (answer: (req: IncomingMessage) => Promise<ControlAnswer>, refusalOf: (error: unknown) => ControlAnswer) =>
  (req: IncomingMessage, res: ServerResponse): void => {
    void answer(req)
      .catch((error: unknown) => refusalOf(error))
      .then(({ status, body }) => {
        res.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
        res.end(JSON.stringify(body))
      })
  }
