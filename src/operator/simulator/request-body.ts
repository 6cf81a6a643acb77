import type { IncomingMessage } from 'node:http'
import { isObject } from '../../core/values/storable.ts'
import { type GraphAnswer, graphError } from './graph-errors.ts'
import { onDisconnect, readMultipart, type UploadedFile } from './multipart-body.ts'

export type { UploadedFile } from './multipart-body.ts'

/** The parameters of a call, or the answer that refuses it. */
export type Parameters =
  | {
      ok: true
      values: Record<string, unknown>
      /** The file of a multipart body. */
      file: UploadedFile | undefined
      /** A body that is neither JSON nor a form, unparsed. */
      bytes: Buffer | undefined
    }
  | { ok: false; answer: GraphAnswer }

/** Maximum bytes of a call: `json` for parameters; `upload` with files or raw bytes. */
const maxBodyBytes = { json: 1024 * 1024, upload: 105 * 1024 * 1024 }

const tooLarge = (): GraphAnswer => graphError(100, '(#100) The request is too large', { status: 413 })
const unreadable = (): GraphAnswer => graphError(100, '(#100) The request body could not be parsed')

/**
 * Reads a call's parameters: those of the query, then of the body (JSON, urlencoded, or multipart;
 * docs/formats.md section 16). Only a `known` caller may send files. `raw` takes the body unparsed,
 * independent of its type. Rejects if the caller disconnects.
 */
export async function readParameters(
  req: IncomingMessage,
  query: URLSearchParams,
  { known = false, raw = false }: { known?: boolean; raw?: boolean } = {},
): Promise<Parameters> {
  const type = req.headers['content-type'] ?? ''
  const maxBytes = known ? maxBodyBytes.upload : maxBodyBytes.json
  if (!raw && /^multipart\/form-data/i.test(type)) {
    const read = await readMultipart(req, maxBytes)
    if (!read.ok) return { ok: false, answer: read.tooLarge ? tooLarge() : unreadable() }
    return { ok: true, values: { ...pairsOf(query), ...read.fields }, file: read.file, bytes: undefined }
  }
  const bytes = await readBytes(req, raw ? maxBytes : maxBodyBytes.json)
  return bytes === undefined ? { ok: false, answer: tooLarge() } : parametersOf(bytes, type, query, { raw })
}

/** Reads the parameters of a body already received that is not multipart. */
export function parametersOf(
  body: string | Buffer,
  contentType: string,
  query: URLSearchParams,
  { raw = false }: { raw?: boolean } = {},
): Parameters {
  const fromQuery = query.size === 0 ? undefined : pairsOf(query)
  if (raw)
    return {
      ok: true,
      values: fromQuery ?? {},
      file: undefined,
      bytes: typeof body === 'string' ? Buffer.from(body) : body,
    }
  if (Buffer.byteLength(body) > maxBodyBytes.json) return { ok: false, answer: tooLarge() }
  const fromBody = parseBody(body.toString(), contentType)
  if (fromBody === undefined) return { ok: false, answer: unreadable() }
  const values = fromQuery === undefined ? fromBody : { ...fromQuery, ...fromBody }
  return { ok: true, values, file: undefined, bytes: undefined }
}

/**
 * Returns the object of a parameter, which some clients write as JSON text (rule 3). Undefined if it is not
 * an object.
 */
export function objectParameter(value: unknown): Record<string, unknown> | undefined {
  const decoded = decodedParameter(value)
  return isObject(decoded) ? decoded : undefined
}

/** Returns the list of a parameter, which may be JSON text (rule 3). Undefined if it is not a list. */
export function listParameter(value: unknown): unknown[] | undefined {
  const decoded = decodedParameter(value)
  return Array.isArray(decoded) ? decoded : undefined
}

/** Parses an object or list written as JSON text; returns any other value unchanged. */
export function decodedParameter(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  return parseJson(value) ?? value
}

function readBytes(req: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    req.on('data', (chunk: Buffer) => {
      size += chunk.byteLength
      // The rest of a body that is too long is read and dropped, so that the answer can be sent.
      if (size <= maxBytes) chunks.push(chunk)
    })
    req.on('end', () => resolve(size > maxBytes ? undefined : Buffer.concat(chunks)))
    onDisconnect(req, reject)
  })
}

function parseBody(text: string, contentType: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {}
  if (contentType.startsWith('application/x-www-form-urlencoded')) return pairsOf(new URLSearchParams(text))
  const value = parseJson(text)
  return isObject(value) ? value : undefined
}

/**
 * Reads names and values of a form or query; `name[]` and `name[0]` are items of a list, as some clients
 * write them.
 */
function pairsOf(pairs: URLSearchParams): Record<string, unknown> {
  const values = new Map<string, unknown>()
  for (const [name, value] of pairs) {
    const list = /^(.+)\[\d*\]$/.exec(name)?.[1]
    const before = list === undefined ? undefined : values.get(list)
    if (list === undefined) values.set(name, value)
    else if (Array.isArray(before)) before.push(value)
    else values.set(list, [value])
  }
  return Object.fromEntries(values)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
