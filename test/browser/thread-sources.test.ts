/** A chat shows who wrote each message, and who changed the chat, also to screen readers. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storePastMessages } from '../../src/modules/messaging/messages/past/operations/store-past-messages.ts'
import type { PastMessage } from '../../src/modules/messaging/messages/past/past-message.ts'
import { boot, type TestParley } from '../support/boot.ts'
import { inWorkspace } from '../support/in-workspace.ts'
import { signIn } from '../support/sessions.ts'
import { until } from '../support/until.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

describe.skipIf(!hasChromium)('the sources of a chat', () => {
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

  test('each message names its writer, and each change its author', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await shop.post('/auto-replies', {
      kind: 'keyword',
      keywords: ['price'],
      reply: { text: 'From ₹100.' },
      enabled: true,
    })
    const phone = '+919812345678'
    await shop.inbound(phone, 'What is the price?', { name: 'Asha Rao' })
    const [chat] = (await shop.get('/conversations')).body.conversations
    const ravi = await signIn(parley, shop, 'agent')
    const me = await signIn(parley, shop, 'admin')
    const say = (text: string) => ({ to: phone, type: 'text', text })
    await ravi.patch(`/api/v1/conversations/${chat.id}`, { assignedAgentId: ravi.memberId, priority: 'high' })
    await ravi.post('/api/v1/send', say('The blue one is ₹120.'))
    await shop.post('/send', say('Your order is on its way.'))
    await me.post('/api/v1/send', say('Thank you!'))
    await me.patch(`/api/v1/conversations/${chat.id}`, { state: 'resolved' })

    const context = await profileOf(browser, parley, me)
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/inbox/${chat.id}`)
    const log = page.getByRole('log', { name: 'Messages with Asha Rao' })
    await until(async () => (await log.locator('[data-message]').count()) === 5, 'all messages are shown')
    expect(await log.locator('[data-message]').allInnerTexts()).toEqual([
      expect.stringMatching(/^Customer\s/),
      expect.stringMatching(/^Automatic reply\s/),
      expect.stringMatching(/^The agent\s/),
      expect.stringMatching(/^API: .+\s/),
      expect.stringMatching(/^You\s/),
    ])
    // The same names are visible.
    expect(await log.locator('[data-source]').allInnerTexts()).toEqual([
      'Automatic reply',
      'The agent',
      expect.stringMatching(/^API: ./),
      'You',
    ])
    const lines = log.locator('[data-change]')
    await until(async () => (await lines.count()) === 3, 'all changes are shown')
    const texts = (await lines.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))
    expect(texts).toEqual([
      expect.stringMatching(/^Assigned to The agent · The agent · /),
      expect.stringMatching(/^Priority: High · The agent · /),
      expect.stringMatching(/^Resolved · You · /),
    ])
    await picture(page, 'thread-sources')

    // A change by a teammate appears without a reload.
    await ravi.patch(`/api/v1/conversations/${chat.id}`, { state: 'open' })
    await log.locator('[data-change=reopened]').getByText('Reopened').waitFor()
    // So do the tags of the customer, with their colors in the list and in the details.
    await shop.post('/tags', { name: 'vip', color: '#7c3aed' })
    await ravi.patch(`/api/v1/contacts/${encodeURIComponent(phone)}`, { tags: ['vip'] })
    await log.locator('[data-change=tagged]').getByText('Tag added: vip').waitFor()
    await page.getByRole('img', { name: 'Tags: vip' }).waitFor()
    for (const [name, size] of [
      ['1280', { width: 1280, height: 800 }],
      ['390', { width: 390, height: 844 }],
    ] as const) {
      await page.setViewportSize(size)
      await picture(page, `thread-sources-${name}`)
    }
    await page.emulateMedia({ colorScheme: 'dark' })
    await picture(page, 'thread-sources-dark')
    expect(faults).toEqual([])
    await context.close()
  })
  test('an imported message names the tool that it comes from', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const phoneNumberId: string = (await shop.get('/phone-numbers')).body.phoneNumbers[0].id
    const past = (externalId: string, direction: 'inbound' | 'outbound', body: string): PastMessage => ({
      externalId,
      contact: { phone: '+919812345678', name: 'Asha Rao' },
      direction,
      createdAt: new Date(Date.UTC(2024, 4, 1, 10, Number(externalId))),
      content: { body },
    })
    await inWorkspace(parley, shop, async (ctx) => {
      const messages = [past('1', 'inbound', 'Is it in stock?'), past('2', 'outbound', 'Yes, it is.')]
      await storePastMessages(ctx, { phoneNumberId, source: 'chatwoot', messages })
    })
    const [chat] = (await shop.get('/conversations')).body.conversations
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'agent'))
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/inbox/${chat.id}`)
    await page.getByRole('log').getByText('From Chatwoot').first().waitFor()
    expect(await page.getByRole('log').locator('[data-imported="chatwoot"]').count()).toBe(2)
    await picture(page, 'thread-imported')
    expect(faults).toEqual([])
    await context.close()
  })
})
