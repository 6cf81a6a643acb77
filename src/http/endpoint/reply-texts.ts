/** Converts the results of an endpoint to response texts and to stored answers of Idempotency-Keys. */
import type { Actor } from '../../core/context.ts'
import { isImpersonal } from '../../core/declared-ids.ts'
import type { Endpoint, Pieces, Reply } from '../../core/endpoint.ts'
import { errorRow, Refusal } from '../../core/errors.ts'
import { isSealed, type Sealer } from '../../core/sealing.ts'
import { bodyOf, statusOf } from '../wire/answer.ts'
import type { Claim, Finding, StoredAnswer } from './idempotency.ts'
import { writeReplies } from './reply-writer.ts'
import { showsWritten, withoutRead } from './shown-reply.ts'

export type Answer = { status: number; text: string; replayed?: true; refusal?: Refusal; pieces?: Pieces }

type Replayed = Extract<Finding, { kind: 'replay' }>

/** Returns the sealer for answers of a key. Without the key, which isn't stored, they can't be opened. */
const sealerFor = (sealer: Sealer, { keyId, key }: Claim): Sealer => sealer.with(`${keyId} ${key}`)

// A refusal that asks the caller to slow down isn't an outcome, so it isn't stored.
export const isRemembered = (refusal: Refusal): boolean =>
  'remembered' in errorRow(refusal.code) && statusOf(refusal) !== 429

export type ReplyTexts = {
  /** Returns the answer to send. */
  answerOf(result: Reply | Refusal, actor: Actor): Answer
  refusalOf(refusal: Refusal): Answer
  /** Returns the answer to store for retries: sealed, unless its schema has no personal data. */
  stored(answer: Answer, claim: Claim): StoredAnswer
  /** Returns the answer for a request whose key was used before. */
  ending(finding: Exclude<Finding, { kind: 'fresh' }>, claim: Claim): Answer
}

export function replyTexts(
  value: Endpoint,
  options: {
    siteUrl: string
    sealer: Sealer
    checkReplies: boolean
    onError(error: unknown, value: Endpoint): void
  },
): ReplyTexts {
  const textOf = writeReplies(value, options.checkReplies)
  /** A fault in the middle of a stream can only abort the response; it is reported like other faults. */
  const withFaultReports = (pieces: Pieces): Pieces => ({ ...pieces, text: reporting(pieces.text) })
  async function* reporting(text: Pieces['text']): Pieces['text'] {
    try {
      yield* text
    } catch (error) {
      options.onError(error, value)
      throw error
    }
  }
  const refusalOf = (refusal: Refusal): Answer => ({
    status: statusOf(refusal),
    text: JSON.stringify(bodyOf(refusal, options.siteUrl)),
    refusal,
  })
  // Parses the text again, because it has exactly the fields of the contract.
  const visibleText = (actor: Actor, text: string): string =>
    showsWritten(value, actor) || text === '' ? text : JSON.stringify(withoutRead(JSON.parse(text)))
  const answerOf = (result: Reply | Refusal, actor: Actor): Answer =>
    result instanceof Refusal
      ? refusalOf(result)
      : result.pieces
        ? { status: result.status, text: '', pieces: withFaultReports(result.pieces) }
        : { status: result.status, text: visibleText(actor, textOf(result)) }
  const replay = ({ status, answer }: Replayed['stored'], claim: Claim): Answer => ({
    status,
    text: isSealed(answer) ? sealerFor(options.sealer, claim).open(answer) : answer.toString(),
    replayed: true,
  })
  const impersonal = new Map<number, boolean>()
  const isPlain = ({ status, refusal }: Answer): boolean => {
    if (refusal) return false
    if (!impersonal.has(status)) impersonal.set(status, isImpersonal(value.replies[status]!))
    return impersonal.get(status)!
  }
  return {
    answerOf,
    refusalOf,
    stored: (answer, claim) => ({
      status: answer.status,
      answer: isPlain(answer) ? answer.text : sealerFor(options.sealer, claim).seal(answer.text),
    }),
    ending: (finding, claim) =>
      finding.kind === 'replay' ? replay(finding.stored, claim) : refusalOf(finding.refusal),
  }
}
