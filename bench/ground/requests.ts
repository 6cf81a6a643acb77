/** Requests in the form in which the load generator sends them. */
import type { Template } from '../processes/load.ts'

/** Fits the end of an Indian mobile number, and more requests than any run makes. */
export const SERIAL_DIGITS = 8
/** Where the serial number of a request goes. */
export const SERIAL = '{serial}'

const lengthOf = (body: string): number =>
  Buffer.byteLength(body.replaceAll(SERIAL, '0'.repeat(SERIAL_DIGITS)))

/** A POST whose idempotency key and whose body may hold `SERIAL`. */
export function postRequest(path: string, apiKey: string, body: object): Template {
  const text = JSON.stringify(body)
  const request =
    `POST /api/v1${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${apiKey}\r\n` +
    `content-type: application/json\r\nidempotency-key: bench-${SERIAL}\r\n` +
    `content-length: ${lengthOf(text)}\r\n\r\n${text}`
  return request.split(SERIAL)
}

export const getRequest = (path: string, apiKey: string): Template => [
  `GET /api/v1${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${apiKey}\r\n\r\n`,
]
