/** Applies an armed fault to a call: before its answer, or to the answer itself. */
import type { SimulatedCall } from '../call.ts'
import type { GraphAnswer } from '../graph-errors.ts'
import type { FaultyCall, Outcome } from './faults.ts'
import { faultAnswer, plainAnswer } from './refusals.ts'

/**
 * Returns a call's properties for faults. A read mark uses the address of messages, but is a separate call
 * for faults.
 */
export function faultyCall(name: string, { number, values }: SimulatedCall): FaultyCall {
  const call = name.replace(/^\S+ /, '')
  const to = values.to ?? values.recipient
  return {
    name: call === 'POST messages' && values.status !== undefined ? 'POST messages read' : call,
    number: number.operatorId,
    to: typeof to === 'string' || typeof to === 'number' ? String(to) : undefined,
    type: typeof values.type === 'string' ? values.type : undefined,
  }
}

/** A call that gets an outcome. */
type PlayedCall = { number: Pick<SimulatedCall['number'], 'accountId'> }

/** `throttleStatus`: the HTTP status of throttled calls. */
export function outcomePlayer(throttleStatus: () => number) {
  // Faults that apply to an answer that does not exist yet.
  const afterwards = new WeakMap<PlayedCall, Outcome>()
  return {
    /** Returns the answer that replaces the call's own; undefined: the call continues. */
    before: (outcome: Outcome, call: PlayedCall): GraphAnswer | undefined => {
      if ('hang' in outcome && outcome.hang === 'before') return { status: 0, ending: 'hang' }
      if ('close' in outcome && outcome.close === 'before') return { status: 0, ending: 'close' }
      if ('answer' in outcome && outcome.answer.when === 'before') return plainAnswer(outcome.answer)
      if ('hang' in outcome || 'close' in outcome || 'answer' in outcome) afterwards.set(call, outcome)
      return 'error' in outcome ? faultAnswer(outcome, throttleStatus(), call.number.accountId) : undefined
    },
    /** Returns the changed answer of the call; undefined: unchanged. */
    after: (call: PlayedCall, answer: GraphAnswer): GraphAnswer | undefined => {
      const outcome = afterwards.get(call)
      if (outcome && 'answer' in outcome) return plainAnswer(outcome.answer)
      if (outcome && 'hang' in outcome) return { ...answer, ending: 'hang' }
      if (outcome && 'close' in outcome) return { ...answer, ending: 'close' }
      return undefined
    },
  }
}
