/** Requests in the form in which the load generator sends them. */
import type { Template } from '../processes/load.ts'

/** Fits the end of an Indian mobile number, and more requests than any run makes. */
export const SERIAL_DIGITS = 8
/** Where the serial number of a request goes. */
export const SERIAL = '{serial}'

const lengthOf = (body: string): number =>
  Buffer.byteLength(body.replaceAll(SERIAL, '0'.repeat(SERIAL_DIGITS)))

/** A POST of JSON; its headers and its body may hold `SERIAL`. */
export function jsonPost(path: string, headers: Record<string, string>, body: object): Template {
  const text = JSON.stringify(body)
  const lines = Object.entries({ ...headers, 'content-type': 'application/json' }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join('')}content-length: ${lengthOf(text)}\r\n\r\n`
  return `${head}${text}`.split(SERIAL)
}

/** The Idempotency-Key of the request with a serial number. */
export const idempotencyKeyOf = (serial: string): string => `bench-${serial}`

/** A POST to the API with an idempotency key of its own; its body may hold `SERIAL`. */
export const postRequest = (path: string, apiKey: string, body: object): Template =>
  jsonPost(
    `/api/v1${path}`,
    { authorization: `Bearer ${apiKey}`, 'idempotency-key': idempotencyKeyOf(SERIAL) },
    body,
  )

export const getRequest = (path: string, apiKey: string): Template => [
  `GET /api/v1${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${apiKey}\r\n\r\n`,
]
