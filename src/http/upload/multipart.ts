/** Reads an upload as multipart/form-data while it arrives: one part is the file, the others are fields. */
import type { Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import { invalid, type Refusal } from '../../core/errors.ts'
import type { SpoolWriter } from '../../core/spool.ts'

export type MultipartOptions = {
  contentType: string
  writer: SpoolWriter
  /** The field of the JSON body that the file part replaces. */
  field: string
  /** The fields that the endpoint accepts. */
  names: readonly string[]
  /** Called with the bytes of the body so far; throws if the body or the file is too large. */
  check(bodyBytes: number): void
}

const MAX_FIELDS = 20
const MAX_FIELD_BYTES = 64 * 1024
const STAND_IN = 'file'
const UNNAMED_TYPE = 'application/octet-stream'

const malformedRefusal = (message: string): Refusal => invalid([{ path: '', message }])

type Parts = { fields: Map<string, string>; files: number; partType: string; partName: string | undefined }

/** Reads all of `source`; returns the fields as in a JSON body, with a placeholder for the file. */
export async function readMultipartUpload(
  source: Readable,
  options: MultipartOptions,
): Promise<Record<string, unknown>> {
  const parts: Parts = { fields: new Map(), files: 0, partType: UNNAMED_TYPE, partName: undefined }
  await parseParts(source, options, parts)
  const { field, names } = options
  const body: Record<string, unknown> = Object.fromEntries(parts.fields)
  if (parts.files > 1) throw malformedRefusal('The body must have one file.')
  if (parts.files === 0) {
    if (field in body) throw invalid([{ path: field, message: 'Must be a part with a file name.' }])
    return body
  }
  body[field] = STAND_IN
  // The part's own name and type apply if the fields don't set them.
  if (names.includes('filename') && parts.partName) body.filename ??= parts.partName
  if (names.includes('mimeType') && parts.partType !== UNNAMED_TYPE) body.mimeType ??= parts.partType
  return body
}

async function parseParts(source: Readable, options: MultipartOptions, parts: Parts): Promise<void> {
  const busboy = openParser(options.contentType)
  let fault: unknown
  /** Writes the file piece by piece; the parser waits while the disk is busy. */
  let writing: Promise<void> = Promise.resolve()
  busboy.on('field', (name, text, isNameCut, isCut) => {
    if (isNameCut || isCut)
      fault ??= malformedRefusal(`The body must have fields of at most ${MAX_FIELD_BYTES / 1024} KB each.`)
    if (name !== '__proto__') parts.fields.set(name, text)
  })
  for (const limit of ['fieldsLimit', 'partsLimit', 'filesLimit'] as const)
    busboy.on(limit, () => {
      fault ??= malformedRefusal('The body must have fewer parts.')
    })
  busboy.on('file', (_name, file, filename, _encoding, mimeType) => {
    parts.files += 1
    // An unhandled event would end the process; the loop that reads the file throws the error too.
    file.on('error', () => {})
    parts.partName = filename
    parts.partType = mimeType || UNNAMED_TYPE
    writing = writing.then(async () => {
      for await (const piece of file) if (fault === undefined) await options.writer.write(piece as Buffer)
    })
    writing.catch((error: unknown) => {
      fault ??= error
      file.resume()
    })
  })
  const done = new Promise<void>((resolve, reject) => {
    busboy.once('finish', resolve).on('error', reject)
  })
  done.catch(() => {})
  try {
    await feedParser(source, busboy, { ...options, faultOf: () => fault, done, writingOf: () => writing })
  } finally {
    busboy.destroy()
  }
}

type Parsing = {
  check(bodyBytes: number): void
  /** Returns the first fault of the parts so far. */
  faultOf(): unknown
  /** Resolves when the parser has finished. */
  done: Promise<void>
  /** Resolves when the received bytes of the file are on disk. */
  writingOf(): Promise<void>
}

/** Feeds the parser as fast as the file is written. */
async function feedParser(
  source: Readable,
  busboy: ReturnType<typeof openParser>,
  parsing: Parsing,
): Promise<void> {
  let bytes = 0
  // Keep the connection open when the loop stops early, so that the caller receives the answer.
  for await (const piece of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += piece.length
    parsing.check(bytes)
    if (parsing.faultOf() !== undefined) throw parsing.faultOf()
    if (!busboy.write(piece))
      await Promise.race([
        new Promise((resolve) => busboy.once('drain', resolve)),
        parsing.done,
        parsing.writingOf(),
      ])
  }
  busboy.end()
  await parsing.done.catch(() => {
    throw malformedRefusal('The body must be a complete multipart/form-data body.')
  })
  await parsing.writingOf()
  parsing.check(bytes)
  if (parsing.faultOf() !== undefined) throw parsing.faultOf()
}

function openParser(contentType: string) {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { fields: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES, files: 2, parts: MAX_FIELDS + 2 },
    })
  } catch {
    throw malformedRefusal('The body must be multipart/form-data with a boundary.')
  }
}
