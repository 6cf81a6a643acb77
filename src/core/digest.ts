import { hash } from 'node:crypto'

/** The SHA-256 of a text in UTF-8, or of bytes. Node makes the digest as text and reads that in half the time that it takes to make bytes. */
export const sha256 = (data: string | Uint8Array): Buffer =>
  Buffer.from(hash('sha256', data, 'latin1'), 'latin1')
