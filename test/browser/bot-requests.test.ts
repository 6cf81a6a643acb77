/** A bot that requests an order: written and tested on its page, with the results of its requests. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley } from '../support/boot.ts'
import { makeReceivers } from '../support/receiver.ts'
import { madeBot } from '../support/replies.ts'
import { signIn } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { looked } from './page-problems.ts'

describe.skipIf(!hasChromium)('requests of bots', () => {
  let receivers: Awaited<ReturnType<typeof makeReceivers>>
  let parley: TestParley
  let browser: Browser
  beforeAll(async () => {
    receivers = await makeReceivers()
    parley = await boot({ env: receivers.env })
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
    await receivers?.close()
  })

  test('a step is tested, a value of its answer is picked, and the results are listed', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const receiver = await receivers.open((response) => void response.end('{"order":{"status":"sent"}}'))
    const bot = await madeBot(parley, shop, {
      name: 'Orders',
      entry: { keywords: ['order'] },
      start: 'ask',
      nodes: [
        { id: 'ask', type: 'ask', text: 'Which order?', saveTo: 'answers.order', next: 'look' },
        { id: 'look', type: 'request', url: `${receiver.url}/{{answers.order}}`, next: 'said' },
        { id: 'said', type: 'message', text: 'Your order is {{answers.status}}.' },
      ],
    })
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'admin'), {
      reducedMotion: 'reduce',
    })
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/bots/${bot.id}`)
    await page.getByText('No requests yet.').waitFor()
    await page.locator('#part-look').click()
    await page.getByRole('button', { name: 'Add header' }).click()
    await page.getByLabel('Name of header 1').fill('X-Key')
    await page.getByLabel('Value of header 1').fill('key-1')
    await page.getByLabel('Example of order').fill('4711')
    await page.getByRole('button', { name: 'Send test request' }).click()
    await page.getByText('HTTP 200').waitFor()
    expect(receiver.received[0]).toMatchObject({ path: '/hook/4711', headers: { 'x-key': 'key-1' } })
    await page.getByRole('button', { name: 'Save value order.status' }).click()
    expect(await page.getByLabel('Path of value 1').inputValue()).toBe('order.status')
    expect(await looked(page, 'bot-request')).toEqual([])
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Bot saved').waitFor()
    await shop.inbound('+919812345678', 'order')
    await shop.inbound('+919812345678', '4712')
    await receiver.wait(2)
    await page.reload()
    await page.getByRole('table', { name: 'Requests' }).getByText('HTTP 200').waitFor()
    expect(faults).toEqual([])
    await context.close()
  })
})
