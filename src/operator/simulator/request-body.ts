import type { IncomingMessage } from 'node:http'
import { isObject } from '../storable.ts'
import { type GraphAnswer, graphError } from './graph-errors.ts'

/** The parameters of a call, or the answer that refuses them. */
export type Parameters = { ok: true; values: Record<string, unknown> } | { ok: false; answer: GraphAnswer }

const maxBodyBytes = 1024 * 1024

/**
 * Reads a call's parameters: those of the query, then those of the body, which may be JSON or urlencoded
 * (FORMATS section 16). Rejects when the caller leaves midway.
 */
export async function readParameters(req: IncomingMessage, query: URLSearchParams): Promise<Parameters> {
  const text = await readText(req)
  if (text === undefined)
    return { ok: false, answer: graphError(100, '(#100) The request is too large', { status: 413 }) }
  const body = parseBody(text, req.headers['content-type'] ?? '')
  if (body === undefined)
    return { ok: false, answer: graphError(100, '(#100) The request body could not be parsed') }
  return { ok: true, values: query.size === 0 ? body : { ...Object.fromEntries(query), ...body } }
}

/** The object of a parameter; some clients write it as JSON text (rule 3). Undefined when it is none. */
export function objectParameter(value: unknown): Record<string, unknown> | undefined {
  const decoded = typeof value === 'string' ? parseJson(value) : value
  return isObject(decoded) ? decoded : undefined
}

function readText(req: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    req.on('data', (chunk: Buffer) => {
      size += chunk.byteLength
      // The rest of a body that is too long is read and dropped, so that the answer can be.
      if (size <= maxBodyBytes) chunks.push(chunk)
    })
    req.on('end', () => resolve(size > maxBodyBytes ? undefined : Buffer.concat(chunks).toString('utf8')))
    req.on('error', reject)
  })
}

function parseBody(text: string, contentType: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {}
  if (contentType.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(text))
  const value = parseJson(text)
  return isObject(value) ? value : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
