/** Forms with one file, as calls upload them: their length is known before the bytes of the file are read. */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'

type FormFile = {
  filename: string
  mimeType: string
  sizeBytes: number
  chunks(): Iterable<Buffer> | AsyncIterable<Buffer>
}

/** Returns the type, length, and bytes of a form with `fields`, then the file in the field `file`. */
export function multipartOf(
  fields: Record<string, string>,
  file: FormFile,
): { type: string; bytes: number; stream: Readable } {
  const boundary = `parley-${randomUUID()}`
  const field = ([name, value]: [string, string]): string =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const head = Buffer.from(
    Object.entries(fields).map(field).join('') +
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${quoted(file.filename)}"\r\n` +
      `content-type: ${file.mimeType}\r\n\r\n`,
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  async function* parts() {
    yield head
    yield* file.chunks()
    yield tail
  }
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: head.length + file.sizeBytes + tail.length,
    stream: Readable.from(parts(), { objectMode: false }),
  }
}

// Quotes file names as browsers do in forms.
const quoted = (name: string): string =>
  name.replaceAll(
    /[\r\n"]/g,
    (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  )
