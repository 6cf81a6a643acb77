/** What an endpoint's results become on the wire, and in the memory of its Idempotency-Keys. */
import type { Endpoint, Pieces, Reply } from '../core/endpoint.ts'
import { ERRORS, Refusal } from '../core/errors.ts'
import type { Sealer } from '../core/sealing.ts'
import { bodyOf, statusOf } from './answer.ts'
import type { Finding, StoredAnswer } from './idempotency.ts'

export type Answer = { status: number; text: string; replayed?: true; refusal?: Refusal; pieces?: Pieces }

const SEALED = 'sealed:'

// What asks to slow down is no outcome, whoever asks it.
export const isRemembered = (refusal: Refusal): boolean =>
  'remembered' in ERRORS[refusal.code] && statusOf(refusal) !== 429

export type ReplyTexts = {
  /** A result as it goes out. */
  answerOf(result: Reply | Refusal): Answer
  /** An answer as it is kept for retries. */
  stored(answer: Answer): StoredAnswer
  /** How a request ends whose key was used before. */
  ending(finding: Exclude<Finding, { kind: 'fresh' }>): Answer
}

export function replyTexts(
  value: Endpoint,
  options: { sealer: Sealer; onError(error: unknown, value: Endpoint): void },
): ReplyTexts {
  /** The reply schema is also the filter: what the contract does not name never leaves. */
  const textOf = (reply: Reply): string => {
    const schema = value.replies[reply.status]
    if (!schema) throw new Error(`${value.method} ${value.path} declares no reply ${reply.status}`)
    return JSON.stringify(schema.parse(reply.body))
  }
  /** What breaks in the middle can only break the answer off; it is told like other faults. */
  const watched = (pieces: Pieces): Pieces => ({ ...pieces, text: reporting(pieces.text) })
  async function* reporting(text: AsyncIterable<string>): AsyncIterable<string> {
    try {
      yield* text
    } catch (error) {
      options.onError(error, value)
      throw error
    }
  }
  const answerOf = (result: Reply | Refusal): Answer =>
    result instanceof Refusal
      ? { status: statusOf(result), text: JSON.stringify(bodyOf(result)), refusal: result }
      : result.pieces
        ? { status: result.status, text: '', pieces: watched(result.pieces) }
        : { status: result.status, text: textOf(result) }
  const replay = ({ status, answer }: StoredAnswer): Answer => ({
    status,
    text: answer.startsWith(SEALED)
      ? options.sealer.open(Buffer.from(answer.slice(SEALED.length), 'base64'))
      : answer,
    replayed: true,
  })
  return {
    answerOf,
    stored: ({ status, text }) => ({
      status,
      answer: value.secretAnswer ? SEALED + options.sealer.seal(text).toString('base64') : text,
    }),
    ending: (finding) => (finding.kind === 'replay' ? replay(finding.stored) : answerOf(finding.refusal)),
  }
}
