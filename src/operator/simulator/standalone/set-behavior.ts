import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '../../../core/clock.ts'
import { ACCOUNT_RESTRICTED } from '../../refusals.ts'
import type { Course, Director, TakenMessage } from '../behavior.ts'
import type { SimulatedCall } from '../call.ts'
import { isBlocked } from '../calls/block.ts'
import type { GraphAnswer } from '../graph-errors.ts'
import { isRestricted } from '../restrictions.ts'
import { findSentTemplate } from '../sent-template.ts'
import { customerRules, MARKETING_STOPPED, OUTSIDE_WINDOW } from './customer-rules.ts'
import type { Customers } from './customers.ts'
import type { Faults } from './faults.ts'
import type { Limits } from './limits.ts'
import { faultyCall, outcomePlayer } from './play-outcomes.ts'
import { numberRefusal, refusalWith } from './refusals.ts'
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

/** Creates the director of a standalone simulator, from its settings, faults, limits, and customers. */
export function createDirector(stage: Stage): Director {
  const { clock, settings, faults, limits, tally } = stage
  const outcomes = outcomePlayer(() => settings().throttleStatus)
  const rules = customerRules(clock, stage.customers)

  async function findRefusal(name: string, call: SimulatedCall): Promise<GraphAnswer | undefined> {
    const faulty = faultyCall(name, call)
    tally.called(faulty.name)
    const outcome = faults.take(faulty, false)
    if (outcome && 'delayMs' in outcome) await wait(outcome.delayMs)
    const refusal = outcome && outcomes.before(outcome, call)
    if (refusal) return refused(call, refusal)
    const sends = faulty.name === 'POST messages'
    const broken = numberRefusal(call.number, sends, clock.now())
    if (broken) return refused(call, broken)
    if (!sends) return undefined
    const code = limits.check(call.number, faulty.to ?? '', settings().limits)
    return code === undefined ? undefined : refused(call, refusalWith(code, settings().throttleStatus))
  }

  function refused(call: SimulatedCall, answer: GraphAnswer): GraphAnswer {
    const data = call.values.biz_opaque_callback_data
    if (typeof data === 'string') tally.refused(data)
    return answer
  }

  function after(_name: string, call: SimulatedCall, answer: GraphAnswer): GraphAnswer {
    return outcomes.after(call, answer) ?? (answer.status >= 400 ? refused(call, answer) : answer)
  }

  async function refuse(message: TakenMessage, call: SimulatedCall): Promise<GraphAnswer | undefined> {
    const state = message.number.state
    if (state && isRestricted(state, rules.isAnswer(message), clock.now()))
      return refusalWith(ACCOUNT_RESTRICTED, settings().throttleStatus)
    const { waId, userId } = message.recipient
    if (await isBlocked(call.store, call.number, { phone: waId, userId }))
      return refusalWith(130403, settings().throttleStatus)
    if (message.type !== 'template' || !settings().templates) return undefined
    return templateRefusal(await findSentTemplate(call, message.content), message, clock.now())
  }

  async function take(message: TakenMessage, course: Course, call: SimulatedCall): Promise<Course> {
    tally.accepted(message, clock.now())
    const outcome = faults.take(faultyCall('number POST messages', call), true)
    const armed = outcome && 'failed' in outcome ? outcome.failed : undefined
    const code = armed ?? (await rules.refusal(message, call, settings().window))
    const { sentMs, deliveredMs, readMs } = settings().receipts
    const failure =
      code === undefined ? course.failure : { code, afterMs: course.failure?.afterMs ?? deliveredMs ?? 0 }
    // A message that was never sent has no sent receipt.
    const unsent = code === OUTSIDE_WINDOW || code === MARKETING_STOPPED
    const freeEntry = rules.cameByAd(message)
    return { sentMs: unsent ? null : sentMs, deliveredMs, readMs, failure, freeEntry }
  }

  return {
    instead: findRefusal,
    after,
    refuse,
    take,
    resolve: stage.customers.resolver(() => settings().userIds),
    // The network only allows blocks of customers who wrote within a day.
    mayBlock: rules.wroteRecently,
    callbackUrl: () => settings().callbackUrl,
    subscribe: stage.subscribe,
  }
}
