/** Costs, the wallet that pays for messages, and the plan (spec 4.10; DECISIONS.md). */
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { campaignsOf, makeContacts } from '../../../../test/support/campaigns.ts'
import { runParley } from '../../../../test/support/command-line.ts'
import { movingClock } from '../../../../test/support/moving-clock.ts'
import { commandEnv } from '../../../../test/support/payments.ts'
import { madeInvoice, sellsAs } from '../../../../test/support/sales.ts'
import {
  type CloudShop,
  cloudShop,
  receipt,
  standInOperator,
} from '../../../../test/support/stand-in-operator.ts'
import { until } from '../../../../test/support/until.ts'
import { DAY_MS } from '../../../core/clock.ts'

const clock = movingClock()
let operator: Awaited<ReturnType<typeof standInOperator>>
let parley: TestParley
/** A sandbox, because its clock can be moved, with a number at the operator. */
let shop: CloudShop<TestWorkspace>
let aheadMs = 0
beforeAll(async () => {
  operator = await standInOperator()
  parley = await boot({ env: operator.env, clock })
})
beforeEach(async () => {
  aheadMs = 0
  shop = await cloudShop({ ...parley, workspace: () => parley.workspace({ sandbox: true }) })
})
afterAll(async () => {
  await parley.close()
  await operator.close()
})

const ASHA = '+919812345678'
const MARKETING = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'marketing' }
const now = () => new Date(Date.now() + aheadMs)
const today = (days = 0) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata', dateStyle: 'short' }).format(
    new Date(now().getTime() + days * DAY_MS),
  )
/** Moves the sandbox's clock ahead to a time of a day in India. */
async function goTo(day: string, time = '09:00:00'): Promise<void> {
  const seconds = Math.ceil((Date.parse(`${day}T${time}+05:30`) - now().getTime()) / 1000)
  await shop.advance(seconds)
  aheadMs += seconds * 1000
}

const command = (...args: string[]) => runParley([...args, '--json'], commandEnv(parley))
async function run(...args: string[]): Promise<Body> {
  const { code, stdout, stderr } = await command(...args)
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`)
  await parley.caughtUp()
  return JSON.parse(stdout)
}
const wallet = (...args: string[]) => {
  const [verb, ...flags] = args as [string, ...string[]]
  return run('wallet', verb, '--workspace', shop.workspaceId, ...flags)
}
async function importRates(lines: string[], currency = 'INR'): Promise<Body> {
  const file = join(parley.config.dataDir, `${randomUUID()}.csv`)
  await writeFile(file, ['market,category,validFrom,millionths', ...lines].join('\n'))
  return run('rates', 'import', file, '--workspace', shop.workspaceId, '--currency', currency)
}

const textMessage = (to: string) => ({ to, type: 'text', text: 'Yes.', phoneNumberId: shop.cloudNumberId })

type Sent = { to: string; about: { chanmid: string; messageId: string } }
/** Receives a customer's message and answers it. */
async function sendMessage(to = ASHA): Promise<Sent> {
  await shop.writes(to)
  const answer = await shop.post('/send', textMessage(to))
  expect(answer.status, answer.text).toBe(200)
  return { to, about: { chanmid: `wamid.${randomUUID()}`, messageId: answer.body.messageId } }
}
type Status = 'sent' | 'delivered' | 'read'
/** Reports statuses of a message from the operator, with its price. */
async function reportStatuses(
  { to, about }: Sent,
  pricing: object | undefined,
  statuses: Status[] = ['sent', 'delivered'],
): Promise<void> {
  await shop.operatorSays(
    ...statuses.map((name) => {
      const [status] = receipt(name, about).statuses
      return { statuses: [{ ...status, recipient_id: to.slice(1), ...(name === 'read' ? {} : { pricing }) }] }
    }),
  )
  await shop.settled()
}
const sendPriced = async (pricing: object | undefined, statuses?: Status[]) =>
  reportStatuses(await sendMessage(), pricing, statuses)
const readCosts = async (days = 3): Promise<Body> => (await shop.get(`/costs?days=${days}`)).body
const readWallet = async (): Promise<Body> => (await shop.get('/wallet')).body

describe('GET /costs', () => {
  test('a message read without delivered counts once, and so does a repeated report', async () => {
    await sendPriced(MARKETING, ['sent', 'read'])
    await sendPriced(MARKETING, ['delivered', 'sent', 'delivered', 'read'])
    expect((await readCosts()).total).toMatchObject({ messages: 2, free: 0 })
  })

  test('a message that did not arrive, or has no price, is not counted', async () => {
    await sendPriced(MARKETING, ['sent'])
    await sendPriced(undefined)
    expect((await readCosts()).total).toMatchObject({ messages: 0, free: 0, charged: 0, unpriced: 0 })
  })

  test('free entry is free', async () => {
    await importRates([`*,referral_conversion,2026-01-01,500000`])
    await sendPriced({
      billable: false,
      pricing_model: 'PMP',
      type: 'free_entry_point',
      category: 'referral_conversion',
    })
    const { total, byCategory } = await readCosts()
    expect(total).toMatchObject({
      messages: 1,
      free: 1,
      charged: 0,
      unpriced: 0,
      costMinor: 0,
      cost: '₹0.00',
    })
    expect(byCategory).toMatchObject([{ category: 'referral_conversion', free: 1 }])
  })

  test('without a rate card: only counts', async () => {
    await sendPriced(MARKETING)
    expect(await readCosts()).toMatchObject({
      currency: null,
      rateCard: null,
      total: { messages: 1, free: 0, charged: 0, unpriced: 1, costMinor: null, cost: null },
    })
  })

  test('the rate of the country applies, else the rate of all other countries; else no cost', async () => {
    await importRates(['IN,marketing,2026-01-01,784600', '*,marketing,2026-01-01,1500000'])
    await sendPriced(MARKETING)
    await reportStatuses(await sendMessage('+447911123456'), MARKETING)
    await sendPriced({ ...MARKETING, billable: undefined })
    await sendPriced({ ...MARKETING, category: 'utility' })
    const { currency, rateCard, total, byCategory } = await readCosts()
    expect({ currency, rateCard }).toMatchObject({ currency: 'INR', rateCard: { validFrom: '2026-01-01' } })
    expect(total).toMatchObject({
      messages: 4,
      free: 0,
      charged: 2,
      unpriced: 2,
      costMinor: 228,
      cost: '₹2.28',
    })
    expect(byCategory).toMatchObject([
      { category: 'marketing', charged: 2, unpriced: 1, costMinor: 228 },
      { category: 'utility', charged: 0, unpriced: 1, costMinor: null },
    ])
  })

  test('a new rate card leaves earlier days unchanged; the total is the unrounded sum', async () => {
    await importRates(['IN,marketing,2026-01-01,4000'])
    const [first, second] = [await sendMessage(), await sendMessage()]
    await reportStatuses(first, MARKETING)
    await goTo(today(1))
    await importRates([`IN,marketing,${today()},14000`])
    await reportStatuses(second, MARKETING)
    const { total, byDay } = await readCosts(2)
    // 0.4 and 1.4 paise.
    expect(byDay).toMatchObject([
      { date: today(-1), costMinor: 0 },
      { date: today(), costMinor: 1 },
    ])
    expect(total).toMatchObject({ charged: 2, costMinor: 2 })
  })

  test('days are local to the workspace', async () => {
    const [first, second] = [await sendMessage(), await sendMessage()]
    await goTo(today(1), '23:50:00')
    const before = today()
    await reportStatuses(first, MARKETING)
    await goTo(today(1), '00:10:00')
    await reportStatuses(second, MARKETING)
    expect((await readCosts(2)).byDay).toMatchObject([
      { date: before, messages: 1 },
      { date: today(), messages: 1 },
    ])
  })

  test('GET /rates lists the rates that apply today or later, with the last import', async () => {
    expect((await shop.get('/rates')).body).toEqual({
      currency: null,
      importedAt: null,
      rates: [],
      isPartial: false,
    })
    await importRates([
      'IN,marketing,2020-01-01,500000',
      'IN,marketing,2021-01-01,784600',
      'IN,marketing,2099-01-01,900000',
      '*,utility,2020-01-01,115000',
    ])
    const { status, body } = await (await shop.as('viewer')).get('/rates')
    expect(status).toBe(200)
    expect(body).toEqual({
      currency: 'INR',
      importedAt: expect.any(String),
      isPartial: false,
      rates: [
        { market: '*', category: 'utility', validFrom: '2020-01-01', isUpcoming: false, millionths: 115_000 },
        {
          market: 'IN',
          category: 'marketing',
          validFrom: '2021-01-01',
          isUpcoming: false,
          millionths: 784_600,
        },
        {
          market: 'IN',
          category: 'marketing',
          validFrom: '2099-01-01',
          isUpcoming: true,
          millionths: 900_000,
        },
      ],
    })
    const narrowed = await shop.as('admin', { scopes: ['contacts:read'] })
    expect((await narrowed.get('/rates')).status).toBe(403)
    expect((await (await parley.workspace({ sandbox: true })).get('/rates')).body.rates).toEqual([])
  })

  test('impossible rates are rejected with their row, and a card has one currency', async () => {
    await expect(importRates(['India,marketing,2026-01-01,1'])).rejects.toThrow('row 1, market')
    await expect(importRates(['IN,marketing,2026-02-30,1'])).rejects.toThrow('row 1, validFrom')
    await expect(importRates([])).rejects.toThrow('no rates')
    await importRates(['IN,marketing,2026-01-01,1'])
    await expect(importRates(['IN,marketing,2026-02-01,1'], 'USD')).rejects.toThrow('are in INR')
  })
})

describe('GET /wallet', () => {
  test('a wallet that is off: zeros', async () => {
    expect(await readWallet()).toEqual({
      enabled: false,
      currency: 'INR',
      balanceMinor: 0,
      balance: '₹0.00',
      entries: [],
      nextCursor: null,
    })
  })

  test('two charges in a day, one for each category; the balance is their sum', async () => {
    await importRates(['IN,marketing,2026-01-01,800000', 'IN,utility,2026-01-01,120000'])
    await wallet('on')
    expect(await wallet('credit', '--amount-minor', '50000', '--reference', 'BANK-1')).toMatchObject({
      balanceMinor: 50_000,
      balance: '₹500.00',
    })
    const duplicate = await command(
      'wallet',
      'credit',
      '--workspace',
      shop.workspaceId,
      '--amount-minor',
      '50000',
      '--reference',
      'BANK-1',
    )
    expect(duplicate).toMatchObject({ code: 1, stderr: expect.stringContaining('was already credited') })
    await sendPriced(MARKETING)
    await sendPriced(MARKETING)
    await sendPriced({ ...MARKETING, category: 'utility' })
    await wallet('off')
    await wallet('on')
    await goTo(today(1))
    await wallet('off')
    await wallet('on')
    await goTo(today(1))
    await wallet('credit', '--amount-minor=-100', '--kind', 'adjustment')
    const { entries, balanceMinor } = await readWallet()
    expect(entries.map(({ kind, amountMinor }: Body) => [kind, amountMinor])).toEqual([
      ['adjustment', -100],
      ['charge', -12],
      ['charge', -160],
      ['topup', 50_000],
    ])
    expect(balanceMinor).toBe(entries.reduce((sum: number, entry: Body) => sum + entry.amountMinor, 0))
    expect(entries[0].balanceAfterMinor).toBe(balanceMinor)
    const page = (await shop.get('/wallet?limit=1')).body
    expect((await shop.get(`/wallet?limit=1&cursor=${page.nextCursor}`)).body.entries[0].kind).toBe('charge')
  })

  test('an empty enforced wallet refuses sends with quota_exceeded; inbound messages still arrive', async () => {
    await shop.writes(ASHA)
    const send = () => shop.post('/send', textMessage(ASHA))
    await wallet('on')
    expect((await send()).status).toBe(200)
    await wallet('on', '--enforce')
    expect(await send()).toMatchObject({ status: 402, body: { error: 'quota_exceeded' } })
    await shop.writes(ASHA, 'Are you there?')
    expect((await shop.get('/messages?limit=1')).body.messages[0]).toMatchObject({ text: 'Are you there?' })
    await wallet('credit', '--amount-minor', '1')
    expect((await send()).status).toBe(200)
    await importRates(['IN,marketing,2026-01-01,800000'])
    await sendPriced(MARKETING)
    await goTo(today(1))
    expect(await readWallet()).toMatchObject({
      balanceMinor: -79,
      entries: [{ kind: 'charge' }, { kind: 'topup' }],
    })
    // Opens the 24-hour window at the current hour.
    await shop.writes(ASHA, 'Good morning', { timestamp: String(Math.floor(now().getTime() / 1000)) })
    expect((await send()).status).toBe(402)
    await wallet('off')
    expect((await send()).status).not.toBe(402)
  })

  test('an empty wallet stops campaigns with its own reason', async () => {
    await makeContacts(shop, 1, { optInStatus: 'opted_in' })
    const campaigns = await campaignsOf(parley, shop)
    const scheduledAt = new Date(Date.now() + 60_000).toISOString()
    const { id } = (await campaigns.create({ scheduledAt })).body
    await wallet('on', '--enforce')
    const message = 'The wallet is empty. Top it up. See GET /wallet.'
    expect((await campaigns.create({ sendNow: true })).body).toMatchObject({
      error: 'quota_exceeded',
      message,
    })
    await shop.advance(120)
    expect(await campaigns.of(id)).toMatchObject({ status: 'paused', pausedReason: message })
    const resume = () => shop.post(`/broadcasts/${id}/resume`)
    expect((await resume()).body).toMatchObject({ error: 'quota_exceeded', message })
    await wallet('credit', '--amount-minor', '100')
    expect((await resume()).status).toBe(200)
  })
})

describe('GET /billing', () => {
  test('requires an admin', async () => {
    const viewer = await shop.as('viewer')
    for (const path of ['/billing', '/wallet'])
      expect(await viewer.get(path)).toMatchObject({ status: 403, body: { error: 'forbidden' } })
    expect((await viewer.get('/costs')).status).toBe(200)
  })

  test('used equals the counted totals', async () => {
    shop = await cloudShop(parley)
    await run('workspace', 'set', '--workspace', shop.workspaceId, '--plan', 'pro', '--modules', 'invoicing')
    await sellsAs(shop)
    await shop.post('/contacts', { phone: '+919812345670' })
    await shop.writes(ASHA)
    for (const _ of ['one', 'two']) await shop.post('/send', textMessage(ASHA))
    await madeInvoice(shop, { issue: true })
    await madeInvoice(shop)
    const { plan, sandbox, trial, modules, addons, limits } = (await shop.get('/billing')).body
    expect({ plan, sandbox, trial, modules, addons }).toEqual({
      plan: 'pro',
      sandbox: false,
      trial: null,
      modules: ['invoicing'],
      addons: [],
    })
    const { periodStart, periodEnd, ...messages } = limits.messages
    expect({ ...limits, messages }).toEqual({
      contacts: { used: 2, limit: 50_000 },
      messages: { used: 2, limit: 100_000 },
      documents: { used: 1, limit: 10_000 },
      webhookEndpoints: { used: 0, limit: 25 },
    })
    // The first of the month in India.
    for (const moment of [periodStart, periodEnd]) expect(moment).toMatch(/T18:30:00.000Z$/)
  })

  test('an unlimited plan: null', async () => {
    shop = await cloudShop(parley)
    await shop.set({ modules: ['invoicing'] })
    await sellsAs(shop)
    await sendPriced(MARKETING)
    await madeInvoice(shop, { issue: true })
    const { plan, limits } = (await shop.get('/billing')).body
    expect(plan).toBe('unlimited')
    expect(limits).toMatchObject({
      contacts: { used: 1, limit: null },
      messages: { used: 1, limit: null },
      documents: { used: 1, limit: null },
    })
  })

  test('a first upgrade starts a trial of seven days, after which the plan stays', async () => {
    const upgraded = await parley.workspace({ plan: 'free' })
    const set = (...args: string[]) =>
      command('workspace', 'set', '--workspace', upgraded.workspaceId, ...args)
    expect((await set('--plan', 'pro')).code).toBe(0)
    await parley.caughtUp()
    const { plan, trial } = (await upgraded.get('/billing')).body
    expect([plan, trial.endsAt]).toEqual(['pro', expect.any(String)])
    clock.aheadMs = 8 * DAY_MS
    await until(async () => (await upgraded.get('/billing')).body.trial === null, 'the trial is over')
    expect((await upgraded.get('/billing')).body.plan).toBe('pro')
  })

  test('a trial is given once, for seven days', async () => {
    shop = await cloudShop(parley)
    const set = (...args: string[]) => command('workspace', 'set', '--workspace', shop.workspaceId, ...args)
    expect((await set('--plan', 'pro')).code).toBe(0)
    expect((await set('--trial', '--plan', 'enterprise')).code).toBe(0)
    await parley.caughtUp()
    const { plan, trial } = (await shop.get('/billing')).body
    expect(plan).toBe('enterprise')
    const daysLeft = (Date.parse(trial.endsAt) - Date.now()) / DAY_MS
    expect(daysLeft).toBeGreaterThan(6.9)
    expect(daysLeft).toBeLessThanOrEqual(7)
    clock.aheadMs = 7 * DAY_MS
    await until(async () => (await shop.get('/billing')).body.plan === 'pro', 'the trial is over')
    expect((await shop.get('/billing')).body.trial).toBeNull()
    expect(await set('--trial', '--plan', 'enterprise')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('had its trial'),
    })
  })
})
