/** What an endpoint's results become on the wire, and in the memory of its Idempotency-Keys. */
import type { Actor } from '../core/context.ts'
import { isImpersonal } from '../core/declared-ids.ts'
import type { Endpoint, Pieces, Reply } from '../core/endpoint.ts'
import { errorRow, Refusal } from '../core/errors.ts'
import { isSealed, type Sealer } from '../core/sealing.ts'
import { bodyOf, statusOf } from './answer.ts'
import type { Claim, Finding, StoredAnswer } from './idempotency.ts'
import { writeReplies } from './reply-writer.ts'
import { showsWritten, withoutRead } from './shown-reply.ts'

export type Answer = { status: number; text: string; replayed?: true; refusal?: Refusal; pieces?: Pieces }

type Replayed = Extract<Finding, { kind: 'replay' }>

/** The sealer of the answers of one key: who does not have the key, which is not stored, cannot open them. */
const sealerFor = (sealer: Sealer, { keyId, key }: Claim): Sealer => sealer.with(`${keyId} ${key}`)

// What asks to slow down is no outcome, whoever asks it.
export const isRemembered = (refusal: Refusal): boolean =>
  'remembered' in errorRow(refusal.code) && statusOf(refusal) !== 429

export type ReplyTexts = {
  /** A result as it goes out. */
  answerOf(result: Reply | Refusal, actor: Actor): Answer
  refusalOf(refusal: Refusal): Answer
  /** An answer as it is kept for retries with its key: sealed, unless it can say nothing about a person. */
  stored(answer: Answer, claim: Claim): StoredAnswer
  /** How a request ends whose key was used before. */
  ending(finding: Exclude<Finding, { kind: 'fresh' }>, claim: Claim): Answer
}

export function replyTexts(
  value: Endpoint,
  options: { sealer: Sealer; checkReplies: boolean; onError(error: unknown, value: Endpoint): void },
): ReplyTexts {
  const textOf = writeReplies(value, options.checkReplies)
  /** What breaks in the middle can only break the answer off; it is reported like other faults. */
  const watched = (pieces: Pieces): Pieces => ({ ...pieces, text: reporting(pieces.text) })
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
    text: JSON.stringify(bodyOf(refusal)),
    refusal,
  })
  // Read again from the text: that has what the contract names, and nothing else.
  const shownTo = (actor: Actor, text: string): string =>
    showsWritten(value, actor) || text === '' ? text : JSON.stringify(withoutRead(JSON.parse(text)))
  const answerOf = (result: Reply | Refusal, actor: Actor): Answer =>
    result instanceof Refusal
      ? refusalOf(result)
      : result.pieces
        ? { status: result.status, text: '', pieces: watched(result.pieces) }
        : { status: result.status, text: shownTo(actor, textOf(result)) }
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
