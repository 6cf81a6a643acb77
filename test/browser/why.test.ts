/** "Why?" shows the history of a message, a skipped recipient, a run, and a failed delivery. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { automate, runsOf } from '../support/automations.ts'
import { boot, type TestParley } from '../support/boot.ts'
import { campaignsOf } from '../support/campaigns.ts'
import { makeReceivers } from '../support/receiver.ts'
import { signIn } from '../support/sessions.ts'
import { until } from '../support/until.ts'
import { violationsOf } from './axe.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

const PHONE = '+919812345678'

const expectAccessible = async (page: Page) =>
  expect((await violationsOf(page)).map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`)).toEqual([])

describe.skipIf(!hasChromium)('why', () => {
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

  test('a message and a failed delivery show their history, to read and to copy', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const receiver = await receivers.open(500)
    await shop.post('/webhooks', { url: receiver.url, events: ['message.received'] })
    await shop.inbound(PHONE, 'Is the blue one in stock?', { name: 'Asha Rao' })
    const sent = await shop.post('/send', { to: PHONE, type: 'text', text: 'Yes, in every size.' })
    await shop.advance(5)
    const [chat] = (await shop.get('/conversations')).body.conversations
    await receiver.wait(1)
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'admin'))
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/inbox/${chat.id}`)
    const bubble = page.locator(`[data-message="${sent.body.messageId}"]`)
    await bubble.hover()
    await bubble.getByRole('button', { name: 'Why?' }).click()
    const panel = page.getByRole('dialog', { name: 'History of this message' })
    const steps = panel.getByRole('list', { name: 'Steps' }).getByRole('listitem')
    await panel.getByText('The operator accepted the message').waitFor()
    const texts = await steps.allInnerTexts()
    expect(texts[0]).toMatch(/sent the message\.$/)
    expect(texts[1]).toMatch(/The operator accepted the message \(\d+ ms\)\.\s+Call 1 · HTTP 200/)
    expect(texts.some((text) => text.includes('Sent.'))).toBe(true)
    await expectAccessible(page)
    for (const [size, width, height] of [
      ['1280', 1_280, 800],
      ['390', 390, 844],
    ] as const) {
      await page.setViewportSize({ width, height })
      await picture(page, `why-message-${size}`)
      await page.emulateMedia({ colorScheme: 'dark' })
      await picture(page, `why-message-${size}-dark`)
      await page.emulateMedia({ colorScheme: 'light' })
    }
    await page.setViewportSize({ width: 1_280, height: 800 })
    await panel.getByRole('button', { name: 'Copy as text' }).click()
    const copied = await until(
      async () => (await page.evaluate<string>('navigator.clipboard.readText()')) || false,
      'the text is copied',
    )
    expect(copied.split('\n').length).toBeGreaterThan(3)
    expect(copied).toContain('Call 1 · HTTP 200')
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })

    // The customer's message shows the failed delivery; so does the delivery itself.
    await page.getByText('Is the blue one in stock?').last().hover()
    await page.locator('[data-message]').first().getByRole('button', { name: 'Why?' }).click()
    await panel.getByText('Webhook attempt 1 failed: message.received.').waitFor()
    await page.keyboard.press('Escape')
    await page.goto(`/w/${shop.workspaceId}/webhooks`)
    await page.getByText(receiver.url).first().click()
    await page.getByRole('button', { name: 'message.received' }).last().click()
    await page.getByRole('button', { name: 'Why? message.received' }).click()
    const delivery = page.getByRole('dialog', { name: 'History of this delivery' })
    await delivery.getByText('Webhook attempt 1 failed: message.received.').waitFor()
    await delivery
      .getByText(/HTTP 500/)
      .first()
      .waitFor()
    await expectAccessible(page)
    await picture(page, 'why-delivery')
    expect(faults).toEqual([])
    await context.close()
  })

  test('a run of an automation and a recipient of a campaign show their history', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await shop.post('/tags', { name: 'buyer' })
    const automation = await automate(shop, {
      trigger: { event: 'message.received' },
      actions: [{ type: 'add_tags', tags: ['buyer'] }],
      enabled: true,
    })
    await shop.inbound(PHONE, 'I take two.', { name: 'Asha Rao' })
    await runsOf(shop, automation.id)
    await shop.post('/contacts', { phone: '+919812345679', displayName: 'Ravi Iyer' })
    await shop.inbound('+919812345679', 'STOP')
    const campaigns = await campaignsOf(parley, shop)
    const campaign = await campaigns.create({ sendNow: true })
    expect(campaign.status, campaign.text).toBe(201)
    await shop.advance(60)
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'admin'))
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/automations/${automation.id}`)
    await page.getByRole('tab', { name: 'Runs' }).click()
    const runs = page.getByRole('list', { name: 'Runs' })
    await runs.getByRole('button', { name: /^Done Asha Rao/ }).click()
    await page.getByRole('button', { name: 'Why? Asha Rao' }).click()
    const panel = page.getByRole('dialog', { name: 'History of this run' })
    await panel.getByText('The run started.').waitFor()
    await panel.getByText('The run ended.').waitFor()
    await expectAccessible(page)
    await picture(page, 'why-run')
    await page.keyboard.press('Escape')
    await page.goto(`/w/${shop.workspaceId}/campaigns/${campaign.body.id}`)
    await page.getByRole('button', { name: 'Why? Asha Rao' }).click()
    const message = page.getByRole('dialog', { name: 'History of this message' })
    await message.getByText('The operator accepted the message').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await message.waitFor({ state: 'detached' })
    // A recipient without a message has the reason itself.
    await page.getByRole('button', { name: 'Why? Ravi Iyer' }).click()
    const skipped = page.getByRole('dialog', { name: 'Why this recipient was skipped' })
    await skipped.getByText('Opted out').waitFor()
    expect(await skipped.getByRole('list', { name: 'Steps' }).getByRole('listitem').count()).toBe(2)
    await expectAccessible(page)
    await picture(page, 'why-skipped')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.keyboard.press('Escape')
    await skipped.waitFor({ state: 'detached' })
    await picture(page, 'why-campaign-390', { whole: true })
    expect(faults).toEqual([])
    await context.close()
  })
})
