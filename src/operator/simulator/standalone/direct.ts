import { setTimeout as wait } from 'node:timers/promises'
import { type Clock, DAY_MS, later } from '../../../core/clock.ts'
import { ACCOUNT_RESTRICTED } from '../../refusals.ts'
import type { SimulatedCall } from '../call.ts'
import { isBlocked } from '../calls/block.ts'
import type { Course, Director, TakenMessage } from '../director.ts'
import type { GraphAnswer } from '../graph-errors.ts'
import { isRestricted } from '../restrictions.ts'
import { findSentTemplate } from '../sent-template.ts'
import type { Customers } from './customers.ts'
import type { Faults, FaultyCall, Outcome } from './faults.ts'
import type { Limits } from './limits.ts'
import { faultAnswer, numberRefusal, plainAnswer, refusalWith } from './refusals.ts'
import type { Settings } from './settings.ts'
import type { Tally } from './tally.ts'
import { templateRefusal } from './template-rules.ts'

export type Stage = {
  clock: Clock
  settings: () => Settings
  faults: Faults
  limits: Limits
  tally: Tally
  customers: Customers
  subscribe: Director['subscribe']
}

/** Directs a simulator that stands alone: by its settings, its faults, its limits and what its customers did. */
export function createDirector(stage: Stage): Director {
  const { clock, settings, faults, limits, tally, customers } = stage
  // What a fault does to an answer that is still to come.
  const afterwards = new WeakMap<SimulatedCall, Outcome>()

  async function instead(name: string, call: SimulatedCall): Promise<GraphAnswer | undefined> {
    const faulty = faultyCall(name, call)
    tally.called(faulty.name)
    const outcome = faults.take(faulty, false)
    if (outcome && 'delayMs' in outcome) await wait(outcome.delayMs)
    const refusal = outcome && before(outcome, call)
    if (refusal) return refused(call, refusal)
    const sends = faulty.name === 'POST messages'
    const broken = numberRefusal(call.number, sends, clock.now())
    if (broken) return refused(call, broken)
    if (!sends) return undefined
    const code = limits.check(call.number, faulty.to ?? '', settings().limits)
    return code === undefined ? undefined : refused(call, refusalWith(code, settings().throttleStatus))
  }

  function before(outcome: Outcome, call: SimulatedCall): GraphAnswer | undefined {
    if ('hang' in outcome && outcome.hang === 'before') return { status: 0, ending: 'hang' }
    if ('close' in outcome && outcome.close === 'before') return { status: 0, ending: 'close' }
    if ('answer' in outcome && outcome.answer.when === 'before') return plainAnswer(outcome.answer)
    if ('hang' in outcome || 'close' in outcome || 'answer' in outcome) afterwards.set(call, outcome)
    return 'error' in outcome
      ? faultAnswer(outcome, settings().throttleStatus, call.number.accountId)
      : undefined
  }

  function refused(call: SimulatedCall, answer: GraphAnswer): GraphAnswer {
    const data = call.values.biz_opaque_callback_data
    if (typeof data === 'string') tally.refused(data)
    return answer
  }

  function after(_name: string, call: SimulatedCall, answer: GraphAnswer): GraphAnswer {
    const outcome = afterwards.get(call)
    if (outcome && 'answer' in outcome) return plainAnswer(outcome.answer)
    if (outcome && 'hang' in outcome) return { ...answer, ending: 'hang' }
    if (outcome && 'close' in outcome) return { ...answer, ending: 'close' }
    return answer.status >= 400 ? refused(call, answer) : answer
  }

  async function refuse(message: TakenMessage, call: SimulatedCall): Promise<GraphAnswer | undefined> {
    const state = message.number.state
    if (state && isRestricted(state, isAnswer(message), clock.now()))
      return refusalWith(ACCOUNT_RESTRICTED, settings().throttleStatus)
    const { waId, userId } = message.recipient
    if (await isBlocked(call.store, call.number, { phone: waId, userId }))
      return refusalWith(130403, settings().throttleStatus)
    if (message.type !== 'template' || !settings().templates) return undefined
    return templateRefusal(await findSentTemplate(call, message.content), message)
  }

  async function take(message: TakenMessage, plain: Course, call: SimulatedCall): Promise<Course> {
    tally.accepted(message, clock.now())
    const outcome = faults.take(faultyCall('number POST messages', call), true)
    const armed = outcome && 'failed' in outcome ? outcome.failed : undefined
    const code = armed ?? (await customersRefusal(message, call))
    const { sentMs, deliveredMs, readMs } = settings().receipts
    const failure =
      code === undefined ? plain.failure : { code, afterMs: plain.failure?.afterMs ?? deliveredMs ?? 0 }
    // What was never sent has no receipt of it.
    const unsent = code === 131047 || code === 131050
    return { sentMs: unsent ? null : sentMs, deliveredMs, readMs, failure, freeEntry: cameByAd(message) }
  }

  function wroteLately(key: string): boolean {
    const wroteAt = customers.find(key)?.wroteAt ?? null
    return wroteAt !== null && later(wroteAt, DAY_MS) > clock.now()
  }

  function cameByAd({ recipient }: TakenMessage): boolean {
    const referredAt = customers.find(recipient.waId ?? recipient.userId ?? '')?.referredAt ?? null
    return referredAt !== null && later(referredAt, DAY_MS) > clock.now()
  }

  /** Whether its customer wrote within 24 hours. */
  const isAnswer = ({ recipient: { waId, userId } }: TakenMessage): boolean =>
    wroteLately(waId ?? userId ?? '')

  async function customersRefusal(message: TakenMessage, call: SimulatedCall): Promise<number | undefined> {
    const { waId, userId } = message.recipient
    const customer = customers.find(waId ?? userId ?? '')
    if (message.type !== 'template') return settings().window && !isAnswer(message) ? 131047 : undefined
    if (!customer?.marketingStopped) return undefined
    const template = await findSentTemplate(call, message.content)
    return String(template?.value.category).toUpperCase() === 'MARKETING' ? 131050 : undefined
  }

  return {
    instead,
    after,
    refuse,
    take,
    resolve: customers.resolver(() => settings().userIds),
    // The network takes a block only of those who wrote within a day.
    mayBlock: wroteLately,
    callbackUrl: () => settings().callbackUrl,
    subscribe: stage.subscribe,
  }
}

// A read mark shares the address of messages, and is another call to a fault.
function faultyCall(name: string, { number, values }: SimulatedCall): FaultyCall {
  const call = name.replace(/^\S+ /, '')
  const to = values.to ?? values.recipient
  return {
    name: call === 'POST messages' && values.status !== undefined ? 'POST messages read' : call,
    number: number.operatorId,
    to: typeof to === 'string' || typeof to === 'number' ? String(to) : undefined,
    type: typeof values.type === 'string' ? values.type : undefined,
  }
}
