/** Requests in the format of the load generator. */
import type { Template } from '../processes/load.ts'

/** Fits the end of an Indian mobile number, and exceeds the requests of any run. */
export const SERIAL_DIGITS = 8
/** The placeholder for the serial number of a request. */
export const SERIAL = '{serial}'

const lengthOf = (body: string): number =>
  Buffer.byteLength(body.replaceAll(SERIAL, '0'.repeat(SERIAL_DIGITS)))

/** Returns a POST of JSON; its headers and body may contain `SERIAL`. */
export function jsonPost(path: string, headers: Record<string, string>, body: object): Template {
  const text = JSON.stringify(body)
  const lines = Object.entries({ ...headers, 'content-type': 'application/json' }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join('')}content-length: ${lengthOf(text)}\r\n\r\n`
  return `${head}${text}`.split(SERIAL)
}

/** Returns the Idempotency-Key of the request with a serial number. */
export const idempotencyKeyOf = (serial: string): string => `bench-${serial}`

/** Returns a POST to the API with its own idempotency key; its body may contain `SERIAL`. */
export const postRequest = (path: string, apiKey: string, body: object): Template =>
  jsonPost(
    `/api/v1${path}`,
    { authorization: `Bearer ${apiKey}`, 'idempotency-key': idempotencyKeyOf(SERIAL) },
    body,
  )

export const getRequest = (path: string, apiKey: string): Template => [
  `GET /api/v1${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${apiKey}\r\n\r\n`,
]
