import type { z } from 'zod'
import type { Clock } from '../../../core/clock.ts'
import { findObject } from '../samples.ts'
import type { SimulatedNumber, SimulatedObject } from '../store.ts'
import type { TimerStore } from '../timer-store.ts'
import {
  CallInput,
  CustomerPatch,
  changeCustomer,
  PreferenceInput,
  reportPreference,
  simulateCall,
} from './customer-actions.ts'
import type { Customers } from './customers.ts'
import { Fault, type Faults } from './faults.ts'
import { InboundInput, writeMessage } from './inbound-messages.ts'
import type { Limits } from './limits.ts'
import {
  changeNumber,
  Joining,
  NumberPatch,
  Reporting,
  reviewTemplate,
  TemplateReview,
} from './network-actions.ts'
import { type PayAtGateway, PayingInChat, payInChat } from './payment-actions.ts'
import { changedSettings, type Settings, SettingsPatch } from './settings.ts'
import type { Tally } from './tally.ts'

/** The parts of a standalone simulator. */
export type SimulatorState = {
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
type Control = (
  state: SimulatorState,
  input: { body: unknown; query: URLSearchParams; id: string },
) => unknown

/** The number, template, or fault does not exist. */
export class NotThere extends Error {}

const contextOf = ({ store, customers, settings, clock }: SimulatorState) => ({
  store,
  customers,
  userIds: () => settings.current.userIds,
  clock,
})

function numberOf({ store }: SimulatorState, id: string | undefined): SimulatedNumber {
  const found = id === undefined ? store.numbers[0] : store.numbers.find((number) => number.operatorId === id)
  if (!found) throw new NotThere(`There is no number ${id ?? ''}.`)
  return found
}

async function templateOf({ store }: SimulatorState, id: string): Promise<SimulatedObject> {
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
    simulate: (context: ReturnType<typeof contextOf>, number: SimulatedNumber, input: T) => Promise<object>,
  ): Control =>
  (state, { body }) => {
    const input = shape.parse(body)
    return simulate(contextOf(state), numberOf(state, input.number), input)
  }

const reportWithoutToken = ({
  token: _token,
  grantedTokens: _granted,
  pin: _pin,
  ...number
}: SimulatedNumber) => number

/** The control calls, by method and path under `/_simulator`. To add a call, add a row. */
export const controls: Record<string, Control> = {
  'GET /state': (state) => ({
    settings: state.settings.current,
    numbers: state.store.numbers.map(reportWithoutToken),
    faults: state.faults.list(),
    webhooks: state.store.postbox.counts(),
  }),
  'POST /reset': (state) => reset(state),
  'POST /settings': (state, { body }) => changeSettings(state, SettingsPatch.parse(body)),
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
      .filter((message) => to === null || digits(message.to) === digits(to))
      .filter((message) => callbackData === null || message.callbackData === callbackData)
    return { messages }
  },
  'GET /customers': ({ customers }) => ({ customers: customers.list() }),
  'POST /customers': customersCall(CustomerPatch, changeCustomer),
  'POST /inbound': customersCall(InboundInput, writeMessage),
  'POST /calls': customersCall(CallInput, simulateCall),
  'POST /preferences': customersCall(PreferenceInput, reportPreference),
  'POST /payments': async (state, { body }) => {
    const paying = PayingInChat.parse(body)
    const { store, payAtGateway } = state
    const order = await payInChat({ store, payAtGateway }, numberOf(state, paying.number), paying)
    if (!order) throw new NotThere(`No customer has a request to pay the order ${paying.reference}.`)
    return order
  },
  'POST /numbers': ({ store, clock }, { body }) => {
    const number = Joining.parse(body)
    if (store.numbers.some((existing) => existing.operatorId === number.operatorId))
      throw new NotThere(`There is a number ${number.operatorId} already.`)
    store.numbers.push({
      ...number,
      displayNumber: number.displayNumber.replace(/\D/g, ''),
      onboardedAt: clock.now(),
    })
    return reportWithoutToken(number)
  },
  'POST /numbers/:id': async (state, { body, id }) =>
    reportWithoutToken(await changeNumber(contextOf(state), numberOf(state, id), NumberPatch.parse(body))),
  'POST /templates/:id': async (state, { body, id }) => {
    const template = await templateOf(state, id)
    const number = state.store.numbers.find((candidate) => candidate.accountId === template.accountId)
    return reviewTemplate(
      contextOf(state),
      number ?? numberOf(state, undefined),
      id,
      TemplateReview.parse(body),
    )
  },
  'POST /webhooks': async (state, { body }) => {
    const { number, field, value } = Reporting.parse(body)
    await state.store.deliver(numberOf(state, number), value, field)
  },
}

/** Changes settings; sends the updates that are no longer held. */
export function changeSettings({ settings, store }: SimulatorState, patch: SettingsPatch): Settings {
  settings.current = changedSettings(settings.current, patch)
  if (!settings.current.webhooks.hold) store.postbox.release()
  return settings.current
}

function reset(state: SimulatorState): Settings {
  state.faults.clear()
  state.limits.clear()
  state.tally.clear()
  state.customers.clear()
  for (const number of state.store.numbers) delete number.state
  return changeSettings(state, state.settings.first)
}

const digits = (to: string): string => (/^\+?\d+$/.test(to) ? to.replace(/\D/g, '') : to)
