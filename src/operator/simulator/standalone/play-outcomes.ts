/** What an armed fault does to a call: before its answer, or to the answer that is still to come. */
import type { SimulatedCall } from '../call.ts'
import type { GraphAnswer } from '../graph-errors.ts'
import type { FaultyCall, Outcome } from './faults.ts'
import { faultAnswer, plainAnswer } from './refusals.ts'

/** The call as faults know it. A read mark shares the address of messages, and is another call to a fault. */
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

/** `throttleStatus`: the HTTP status of an answer that refuses for pace. */
export function outcomePlayer(throttleStatus: () => number) {
  // What a fault does to an answer that is still to come.
  const afterwards = new WeakMap<SimulatedCall, Outcome>()
  return {
    /** The answer that stands in for the call's own; undefined: the call goes on. */
    before: (outcome: Outcome, call: SimulatedCall): GraphAnswer | undefined => {
      if ('hang' in outcome && outcome.hang === 'before') return { status: 0, ending: 'hang' }
      if ('close' in outcome && outcome.close === 'before') return { status: 0, ending: 'close' }
      if ('answer' in outcome && outcome.answer.when === 'before') return plainAnswer(outcome.answer)
      if ('hang' in outcome || 'close' in outcome || 'answer' in outcome) afterwards.set(call, outcome)
      return 'error' in outcome ? faultAnswer(outcome, throttleStatus(), call.number.accountId) : undefined
    },
    /** What becomes of the call's own answer; undefined: it stays. */
    after: (call: SimulatedCall, answer: GraphAnswer): GraphAnswer | undefined => {
      const outcome = afterwards.get(call)
      if (outcome && 'answer' in outcome) return plainAnswer(outcome.answer)
      if (outcome && 'hang' in outcome) return { ...answer, ending: 'hang' }
      if (outcome && 'close' in outcome) return { ...answer, ending: 'close' }
      return undefined
    },
  }
}
