/** Results of automations and bots by step, and the sends and answers of in-chat forms. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { automate, newLead, runsOf } from '../support/automations.ts'
import { type Body, boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { madeBot, tap } from '../support/replies.ts'
import { signIn } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { looked } from './page-problems.ts'

const PHONES = ['+919812345678', '+919812345671', '+919812345672', '+919812345673']

/** Publishes a new version of a bot whose first step is `hello`. */
const changeHello = async (shop: TestWorkspace, bot: Body) => {
  const nodes = bot.nodes.map((node: Body) => (node.id === 'hello' ? { ...node, text: 'Hello!' } : node))
  expect((await shop.patch(`/bots/${bot.id}`, { nodes })).status).toBe(200)
}

/** Answers a customer as a teammate. */
const answerAs = async (parley: TestParley, shop: TestWorkspace, to: string) => {
  const teammate = await signIn(parley, shop, 'agent')
  const sent = await teammate.post('/api/v1/send', { to, type: 'text', text: 'I can help.' })
  expect(sent.status, sent.text).toBe(200)
}

describe.skipIf(!hasChromium)('results by step', () => {
  let parley: TestParley
  let browser: Browser
  beforeAll(async () => {
    parley = await boot()
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  const open = async (shop: TestWorkspace, role: 'viewer' | 'admin') => {
    const session = await signIn(parley, shop, role)
    const context = await profileOf(browser, parley, session, { reducedMotion: 'reduce' })
    return { context, ...(await openPage(context)) }
  }

  test('an automation shows the runs that reached each step, continued, stopped, and were left out, with the reasons', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await shop.post('/tags', { name: 'vip' })
    const { id } = await automate(shop, {
      name: 'Welcome new leads',
      trigger: { event: 'lead.created' },
      conditions: { conditions: [{ field: 'lead.rating', op: 'gte', value: 2 }] },
      actions: [
        { type: 'stop_if', conditions: { conditions: [{ field: 'lead.rating', op: 'gte', value: 5 }] } },
        { type: 'send_text', text: 'Hello {{lead.name}}, thank you for asking. When may we call you?' },
        { type: 'wait', minutes: 60 },
        { type: 'add_tags', tags: ['vip'], on: 'lead' },
      ],
    })
    for (const rating of [1, 2, 3, 4, 5]) await newLead(shop, { rating })
    await shop.advance(3_700)
    await runsOf(shop, id, 5)
    await newLead(shop, { rating: 3 })
    await parley.caughtUp()
    const { context, page, faults } = await open(shop, 'viewer')
    await page.goto(`/w/${shop.workspaceId}/automations/${id}`)
    await page.getByRole('tab', { name: 'Results' }).click()
    const steps = page.getByRole('list', { name: 'Results by step' }).locator(':scope > li')
    await steps.nth(0).getByText('5 runs reached this step').waitFor()
    await page.getByText('1 run skipped before the first step').waitFor()
    await page.getByText("Its conditions didn't match.").waitFor()
    await steps.nth(0).getByText("4 runs continued: the conditions didn't match").waitFor()
    await steps.nth(0).getByText('1 run stopped: the conditions matched').waitFor()
    await steps.nth(1).getByText('4 runs left out this step').waitFor()
    await steps.nth(2).getByText('1 run is here now').waitFor()
    await steps.nth(3).getByText('3 runs reached this step').waitFor()
    expect(new URL(page.url()).search).toBe('?show=results')
    expect(await looked(page, 'automation-results')).toEqual([])
    expect(faults).toEqual([])
    await context.close()
  })

  test('a bot shows how many chats came to each step and left there, and many bots are searched', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const bot = await madeBot(parley, shop, {
      name: 'Menu',
      entry: { keywords: ['menu'] },
      start: 'hello',
      nodes: [
        { id: 'hello', type: 'message', text: 'Welcome to Blue Lotus!', next: 'menu' },
        {
          id: 'menu',
          type: 'buttons',
          text: 'How can we help?',
          options: [
            { id: 'hours', title: 'Opening hours', next: 'hours' },
            { id: 'person', title: 'Talk to us', next: 'person' },
          ],
        },
        { id: 'hours', type: 'message', text: 'We are open from 10 to 7.', next: null },
        { id: 'person', type: 'handover', note: null },
      ],
    })
    for (const phone of PHONES) await shop.inbound(phone, 'menu')
    await tap(shop, PHONES[0]!, 'Talk to us')
    await tap(shop, PHONES[1]!, 'Opening hours')
    for (const name of ['Sizes', 'Returns', 'Visits', 'Prices', 'Feedback'])
      await madeBot(parley, shop, {
        name,
        enabled: name !== 'Feedback',
        entry: { keywords: [name] },
        start: 'a',
        nodes: [{ id: 'a', type: 'message', text: name, next: null }],
      })
    await shop.advance(31 * 60)
    await parley.caughtUp()
    const { context, page, faults } = await open(shop, 'admin')
    await page.goto(`/w/${shop.workspaceId}/bots/${bot.id}`)
    const figures = page.getByRole('definition')
    await figures.first().getByText('4', { exact: true }).waitFor()
    const menu = page.locator('#part-menu')
    await menu.getByText('4 came here').waitFor()
    await menu.getByText('2 left here').waitFor()
    await page.locator('#part-hours').getByText('1 ended here').waitFor()
    await page.locator('#part-person').getByText('1 handed over').waitFor()
    expect(await looked(page, 'bot-results')).toEqual([])
    await changeHello(shop, bot)
    for (const phone of PHONES.slice(0, 2)) await shop.inbound(phone, 'menu')
    await answerAs(parley, shop, PHONES[0]!)
    await page.reload()
    const versions = page.getByRole('table', { name: 'Results by version' })
    await versions.getByRole('row', { name: /^Version 2 .* 2 0 0 1 \(50%\) 0 1 \(50%\)$/ }).waitFor()
    await versions.getByRole('row', { name: /^Version 1 .* 4 1 \(25%\) 1 \(25%\) 0 2 \(50%\) 0$/ }).waitFor()
    await menu.getByText('1 taken over by a teammate here').waitFor()
    expect(await looked(page, 'bot-versions')).toEqual([])
    await page.getByRole('combobox', { name: 'Version of the results' }).click()
    await page.getByRole('option', { name: 'Version 2' }).click()
    await menu.getByText('2 came here').waitFor()
    await versions.waitFor({ state: 'detached' })
    await page.getByRole('combobox', { name: 'Version of the results' }).click()
    await page.getByRole('option', { name: 'Version 1' }).click()
    await menu.getByText('4 came here').waitFor()
    await page.getByRole('link', { name: 'All bots' }).click()
    const list = page.getByRole('table', { name: 'Bots' })
    await list.getByRole('row', { name: /^Menu.*6/ }).waitFor()
    await page.getByRole('searchbox', { name: 'Search bots' }).fill('sizes')
    await list.getByRole('row', { name: /^Menu/ }).waitFor({ state: 'detached' })
    await list.getByRole('row', { name: /^Sizes/ }).waitFor()
    await page.getByRole('searchbox', { name: 'Search bots' }).fill('nothing')
    await page.getByText('No bot matches').waitFor()
    await page.getByRole('searchbox', { name: 'Search bots' }).fill('')
    await page.getByRole('combobox', { name: 'Bots by status' }).click()
    await page.getByRole('option', { name: 'Off' }).click()
    await list.getByRole('row', { name: /^Sizes/ }).waitFor({ state: 'detached' })
    await list.getByRole('row', { name: /^Feedback/ }).waitFor()
    expect(await looked(page, 'bots-searched')).toEqual([])
    expect(faults).toEqual([])
    await context.close()
  })

  test('the list of forms and the page of a form show the sends and the share that was answered', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const screens = [
      { title: 'Visit', fields: [{ name: 'day', kind: 'date', label: 'Day' }], button: 'Send' },
    ]
    const { flow } = (await shop.post('/flows', { name: 'Table for tonight', screens })).body
    await shop.post(`/flows/${flow.id}/publish`, {})
    for (const [index, phone] of PHONES.entries()) {
      await shop.inbound(phone, 'hello')
      const sent = await shop.post(`/flows/${flow.id}/send`, { to: phone, body: 'When?', cta: 'Choose' })
      await shop.advance(6)
      if (index === 0) continue
      const { chanmid } = (await shop.get(`/messages/${sent.body.messageId}`)).body.message
      await shop.inbound(phone, '', {
        text: undefined,
        formAnswers: { day: '2026-12-24' },
        replyTo: chanmid,
      })
    }
    const { context, page, faults } = await open(shop, 'admin')
    await page.goto(`/w/${shop.workspaceId}/forms`)
    const text = '3 of 4 sends answered (75%) in 30 days'
    await page
      .getByRole('link', { name: /Table for tonight/ })
      .getByText(text)
      .waitFor()
    await page
      .getByRole('link', { name: /Book a visit/ })
      .getByText('Not sent in the last 30 days')
      .waitFor()
    await page.getByRole('link', { name: /Table for tonight/ }).click()
    await page.getByRole('heading', { name: 'Table for tonight' }).waitFor()
    expect(await page.getByText(text).count()).toBe(2)
    expect(await looked(page, 'form-counts')).toEqual([])
    expect(faults).toEqual([])
    await context.close()
  })
})
