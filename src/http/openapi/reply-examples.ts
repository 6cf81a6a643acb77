import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../core/installation-root.ts'

/** An example reply of an endpoint, for the reference. */
export type ReplyExample = {
  status: number
  body: unknown
  /** The reply to the same request again, if it has another status. */
  again?: { status: number; body: unknown }
}

/** Returns the example reply with a status. */
export const exampleWithStatus = (
  example: ReplyExample | undefined,
  status: string,
): { body: unknown } | undefined =>
  [example, example?.again].find((candidate) => String(candidate?.status) === status)

const FILE = join(ROOT, 'src/http/openapi/reply-examples.json')

/**
 * Returns the example of each endpoint by name: real replies, recorded by test/contract/record-examples.ts.
 */
export const readReplyExamples = (): Record<string, ReplyExample> => JSON.parse(readFileSync(FILE, 'utf8'))
