import type { z } from 'zod'
import type { Clock } from '../../../core/clock.ts'
import { findObject } from '../samples.ts'
import type { SimulatedNumber, SimulatedObject } from '../store.ts'
import type { TimerStore } from '../timer-store.ts'
import { Calling, Changing, call, change, Preferring, prefer } from './customer-acts.ts'
import { Writing, write } from './customer-writes.ts'
import type { Customers } from './customers.ts'
import { Fault, type Faults } from './faults.ts'
import type { Limits } from './limits.ts'
import { changeNumber, Joining, Numbering, Reporting, Reviewing, reviewTemplate } from './network-acts.ts'
import { type PayAtGateway, PayingInChat, payInChat } from './payment-acts.ts'
import { changedSettings, type Settings, SettingsPatch } from './settings.ts'
import type { Tally } from './tally.ts'

/** The parts of a standalone simulator. */
export type Standing = {
  clock: Clock
  store: TimerStore
  settings: { current: Settings; first: Settings }
  faults: Faults
  limits: Limits
  tally: Tally
  customers: Customers
  /** Pays orders in the chat, if a simulated gateway runs too. */
  payAtGateway?: PayAtGateway | undefined
}

/** A control call: `id` is the last part of its path if the row's path ends with `/:id`. */
type Control = (standing: Standing, input: { body: unknown; query: URLSearchParams; id: string }) => unknown

/** The number, template, or fault does not exist. */
export class NotThere extends Error {}

const acting = ({ store, customers, settings, clock }: Standing) => ({
  store,
  customers,
  userIds: () => settings.current.userIds,
  clock,
})

function numberOf({ store }: Standing, id: string | undefined): SimulatedNumber {
  const found = id === undefined ? store.numbers[0] : store.numbers.find((one) => one.operatorId === id)
  if (!found) throw new NotThere(`There is no number ${id ?? ''}.`)
  return found
}

async function templateOf({ store }: Standing, id: string): Promise<SimulatedObject> {
  const found = await findObject(store, id)
  if (found?.kind !== 'template') throw new NotThere(`There is no template ${id}.`)
  return found
}

/**
 * A call by a customer: its body names the number that receives the message or call, by default the first.
 */
const customersCall =
  <T extends { number?: string }>(
    shape: z.ZodType<T>,
    act: (by: ReturnType<typeof acting>, number: SimulatedNumber, given: T) => Promise<object>,
  ): Control =>
  (standing, { body }) => {
    const given = shape.parse(body)
    return act(acting(standing), numberOf(standing, given.number), given)
  }

const reportWithoutToken = (number: SimulatedNumber) => ({ ...number, token: undefined })

/** The control calls, by method and path under `/_simulator`. To add a call, add a row. */
export const controls: Record<string, Control> = {
  'GET /state': (standing) => ({
    settings: standing.settings.current,
    numbers: standing.store.numbers.map(reportWithoutToken),
    faults: standing.faults.list(),
    webhooks: standing.store.postbox.counts(),
  }),
  'POST /reset': (standing) => reset(standing),
  'POST /settings': (standing, { body }) => changeSettings(standing, SettingsPatch.parse(body)),
  'POST /faults': ({ faults }, { body }) => faults.arm(Fault.parse(body)),
  'GET /faults': ({ faults }) => ({ faults: faults.list() }),
  'DELETE /faults': ({ faults }) => faults.clear(),
  'DELETE /faults/:id': ({ faults }, { id }) => {
    if (!faults.disarm(id)) throw new NotThere(`There is no fault ${id}.`)
  },
  'GET /tally': ({ tally }, { query }) => {
    const callbackData = query.get('callbackData')
    return callbackData === null ? tally.summary() : { callbackData, ...tally.of(callbackData) }
  },
  'GET /messages': ({ tally }, { query }) => {
    const [to, callbackData] = [query.get('to'), query.get('callbackData')]
    const messages = tally
      .messages()
      .filter((one) => to === null || digits(one.to) === digits(to))
      .filter((one) => callbackData === null || one.callbackData === callbackData)
    return { messages }
  },
  'GET /customers': ({ customers }) => ({ customers: customers.list() }),
  'POST /customers': customersCall(Changing, change),
  'POST /inbound': customersCall(Writing, write),
  'POST /calls': customersCall(Calling, call),
  'POST /preferences': customersCall(Preferring, prefer),
  'POST /payments': async (standing, { body }) => {
    const paying = PayingInChat.parse(body)
    const { store, payAtGateway } = standing
    const order = await payInChat({ store, payAtGateway }, numberOf(standing, paying.number), paying)
    if (!order) throw new NotThere(`No customer has a request to pay the order ${paying.reference}.`)
    return order
  },
  'POST /numbers': ({ store, clock }, { body }) => {
    const number = Joining.parse(body)
    if (store.numbers.some((one) => one.operatorId === number.operatorId))
      throw new NotThere(`There is a number ${number.operatorId} already.`)
    store.numbers.push({
      ...number,
      displayNumber: number.displayNumber.replace(/\D/g, ''),
      onboardedAt: clock.now(),
    })
    return reportWithoutToken(number)
  },
  'POST /numbers/:id': async (standing, { body, id }) =>
    reportWithoutToken(await changeNumber(acting(standing), numberOf(standing, id), Numbering.parse(body))),
  'POST /templates/:id': async (standing, { body, id }) => {
    const template = await templateOf(standing, id)
    const number = standing.store.numbers.find((one) => one.accountId === template.accountId)
    return reviewTemplate(
      acting(standing),
      number ?? numberOf(standing, undefined),
      id,
      Reviewing.parse(body),
    )
  },
  'POST /webhooks': async (standing, { body }) => {
    const { number, field, value } = Reporting.parse(body)
    await standing.store.deliver(numberOf(standing, number), value, field)
  },
}

/** Changes settings; sends the updates that are no longer held. */
export function changeSettings({ settings, store }: Standing, patch: SettingsPatch): Settings {
  settings.current = changedSettings(settings.current, patch)
  if (!settings.current.webhooks.hold) store.postbox.release()
  return settings.current
}

function reset(standing: Standing): Settings {
  standing.faults.clear()
  standing.limits.clear()
  standing.tally.clear()
  standing.customers.clear()
  for (const number of standing.store.numbers) delete number.state
  return changeSettings(standing, standing.settings.first)
}

const digits = (to: string): string => (/^\+?\d+$/.test(to) ? to.replace(/\D/g, '') : to)
