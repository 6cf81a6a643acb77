/**
 * Reads requests with a file as they arrive, within bounded memory
 * (src/modules/messaging/messages/DECISIONS.md).
 */
import { createHash, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '../../core/endpoint.ts'
import { invalid, Refusal, refuse } from '../../core/errors.ts'
import type { Spool, SpooledFile, SpoolWriter } from '../../core/spool.ts'
import type { UploadRule } from '../../core/upload.ts'
import type { ExecuteOptions } from '../endpoint/execution.ts'
import { fingerprintHead } from '../endpoint/idempotency.ts'
import { bodyIssues, fieldNames } from '../endpoint/validate.ts'
import type { Caller } from '../wire/caller.ts'
import { parseJsonBody } from '../wire/json-body.ts'
import { readMultipartUpload } from './multipart.ts'
import { RestTooLarge } from './rest.ts'
import { createUploadScanner, type UploadScanner } from './scanner.ts'

/** The validated body, the file, and the fingerprint of the request. */
export type Upload = { body: unknown; file: SpooledFile; fingerprint: Buffer }

/** Returns the length in bytes from the header; null without one. */
const lengthOf = (request: FastifyRequest): number | null => {
  const length = request.headers['content-length']
  return length === undefined ? null : Number(length)
}

/**
 * Reserves a place for the upload before its body is read. Returns the function that frees the place and
 * never fails.
 */
export async function admitUpload(
  rule: UploadRule,
  request: FastifyRequest,
  options: Pick<ExecuteOptions, 'database' | 'clock'>,
): Promise<() => Promise<void>> {
  const { workspace } = request.caller as Caller
  const giveUp = await rule.admit(
    {
      workspace,
      clock: options.clock,
      transaction: (work) => options.database.tenant(workspace, work),
    },
    lengthOf(request),
  )
  // If the place can't be freed now, it becomes free when its lease expires.
  return () => giveUp().catch(() => {})
}

/**
 * Reads the body of an upload, the file to disk. Refusals: `payload_too_large`, `invalid_json` (as
 * `BadBody`), `invalid` naming every bad field. The caller closes the returned file.
 */
export async function readUpload(
  value: Endpoint & { upload: UploadRule; bodyLimit: number },
  request: FastifyRequest,
  { spool, key = '' }: { spool: Spool; key: string | undefined },
): Promise<Upload> {
  const tooLarge = () =>
    refuse(
      'payload_too_large',
      `The body is too large. Send a file of at most ${value.upload.maxBytes / 1024 / 1024} MB.`,
    )
  const source = request.body as Readable | undefined
  if ((lengthOf(request) ?? 0) > value.bodyLimit) tooLarge()
  const fingerprint = createHash('sha256').update(fingerprintHead(key, value.method, request.url))
  const writer = await spool.open()
  try {
    if (isMultipart(request)) return await readForm(value, request, { writer, fingerprint })
    const scanner = createUploadScanner(value.upload.field)
    if (source)
      await pour(source, { scanner, writer, fingerprint, rule: value.upload, limit: value.bodyLimit })
    const body = checkedBody(value, scanner, writer)
    return { body, file: writer.finish(), fingerprint: fingerprint.digest() }
  } catch (error) {
    await writer.discard()
    if (error instanceof RestTooLarge) return tooLarge()
    throw error
  }
}

const isMultipart = ({ headers }: FastifyRequest): boolean =>
  /^multipart\/form-data(?:;|$)/i.test(headers['content-type']?.trim() ?? '')

/**
 * Reads the upload as multipart/form-data. Its boundary differs in each retry, so the fingerprint covers the
 * content of the parts.
 */
async function readForm(
  value: Endpoint & { upload: UploadRule; bodyLimit: number },
  request: FastifyRequest,
  { writer, fingerprint }: { writer: SpoolWriter; fingerprint: Hash },
): Promise<Upload> {
  const { field, maxBytes } = value.upload
  const tree = await readMultipartUpload(request.body as Readable, {
    contentType: request.headers['content-type']!,
    writer,
    field,
    names: fieldNames(value.body!),
    check: (bodyBytes) => {
      if (bodyBytes > value.bodyLimit) throw new RestTooLarge()
      refuseLargeFile(writer, maxBytes)
    },
  })
  const body = checkedTree(value, tree, { fault: undefined, writer })
  const file = writer.finish()
  fingerprint.update(JSON.stringify([Object.entries(tree).sort(), file.sha256]))
  return { body, file, fingerprint: fingerprint.digest() }
}

function refuseLargeFile({ sizeBytes }: SpoolWriter, maxBytes: number): void {
  if (sizeBytes > maxBytes)
    refuse('payload_too_large', `The file is larger than ${maxBytes / 1024 / 1024} MB. Send a smaller one.`)
}

type UploadTransfer = {
  scanner: UploadScanner
  writer: SpoolWriter
  fingerprint: Hash
  rule: UploadRule
  limit: number
}

async function pour(
  source: Readable,
  { scanner, writer, fingerprint, rule, limit }: UploadTransfer,
): Promise<void> {
  let bytes = 0
  // Keep the connection open when the loop stops early, so that the caller receives the answer.
  for await (const piece of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > limit) throw new RestTooLarge()
    fingerprint.update(piece)
    const { decoded, restart } = scanner.push(piece)
    if (restart) writer.restart()
    for (const part of decoded) if (part.length > 0) await writer.write(part)
    refuseLargeFile(writer, rule.maxBytes)
  }
}

const checkedBody = (value: Endpoint & { upload: UploadRule }, scanner: UploadScanner, writer: SpoolWriter) =>
  checkedTree(value, parseJsonBody(scanner.rest()), { fault: scanner.fault(), writer })

/** Returns the fields besides the file; refuses with all faults of the fields and of the file. */
function checkedTree(
  value: Endpoint & { upload: UploadRule },
  tree: unknown,
  file: { fault: string | undefined; writer: SpoolWriter },
) {
  const { field } = value.upload
  const result = value.body!.safeParse(tree)
  const issues = result.success ? [] : bodyIssues(result.error, value.body!)
  const isText = typeof (tree as Record<string, unknown> | null)?.[field] === 'string'
  const fault = file.fault ?? (isText && file.writer.sizeBytes === 0 ? 'Must not be empty.' : undefined)
  if (isText && fault !== undefined) issues.unshift({ path: field, message: fault })
  if (issues.length > 0 || !result.success) throw invalid(issues)
  return result.data
}

/** Returns whether the caller disconnected before the end of the body, so that no answer can reach them. */
export const callerDisconnected = (request: FastifyRequest): boolean =>
  request.raw.destroyed && !request.raw.complete

/** Returns the refusal for the log when the caller has disconnected. */
export const disconnectRefusal = (): Refusal =>
  new Refusal('invalid', 'The upload ended before its announced length. Send it again.', { issues: [] })
