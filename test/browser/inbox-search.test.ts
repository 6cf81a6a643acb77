/** The search of the inbox: every state, message texts, and only matching chats while other customers write. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { untilRead } from '../support/read-words.ts'
import { signIn } from '../support/sessions.ts'
import { until } from '../support/until.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

describe.skipIf(!hasChromium)('the search of the inbox', () => {
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

  const chatOf = async (shop: TestWorkspace, phone: string): Promise<string> =>
    (await shop.get(`/messages?limit=1&phone=${encodeURIComponent(phone)}`)).body.messages[0].conversationId
  const openInbox = async (shop: TestWorkspace) => {
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'agent'))
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/inbox`)
    const list = page.getByRole('navigation', { name: 'Chats' })
    const search = (text: string) =>
      page.getByRole('searchbox', { name: 'Search chats and messages' }).fill(text)
    return { context, page, faults, list, search }
  }
  const rowsIn = (list: ReturnType<Page['locator']>) => list.locator('[data-conversation]')

  test('finds resolved and archived chats, in their group, and messages by their text', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await shop.inbound('+919812300001', 'Is the scarf in stock?', { name: 'Asha Rao' })
    await shop.inbound('+919812300002', 'Thanks!', { name: 'Asha Iyer' })
    await shop.inbound('+919812300003', 'Do you sell turmeric lattes?', { name: 'Dev Menon' })
    await shop.inbound('+919812300004', 'Bye', { name: 'Asha Nair' })
    await shop.patch(`/conversations/${await chatOf(shop, '+919812300002')}`, { state: 'resolved' })
    await shop.patch(`/conversations/${await chatOf(shop, '+919812300004')}`, {
      state: 'resolved',
      isArchived: true,
    })
    const { context, page, faults, list, search } = await openInbox(shop)
    await list.getByRole('link', { name: /^Dev Menon/ }).waitFor()
    expect(await rowsIn(list).count()).toBe(2)
    await search('Asha')
    await until(async () => (await rowsIn(list).count()) === 3, 'three chats match')
    const order = (await list.locator('h2, [data-conversation]').allInnerTexts()).map(
      (text) => text.split('\n')[0],
    )
    expect(order).toEqual([
      'Open',
      expect.stringMatching(/Asha Rao|AR/),
      'Resolved',
      expect.stringMatching(/Asha Nair|AN/),
      expect.stringMatching(/Asha Iyer|AI/),
    ])
    await picture(page, 'inbox-search')

    // Only a resolved chat matches: it is shown, and nothing offers to clear filters.
    await search('Iyer')
    await until(async () => (await rowsIn(list).count()) === 1, 'one chat matches')
    await list.getByRole('heading', { name: 'Resolved' }).waitFor()
    expect(await page.getByRole('button', { name: /^Clear/ }).count()).toBe(0)

    await untilRead(parley, shop.workspaceId, 'turmeric')
    await search('turmeric')
    await list.getByRole('heading', { name: 'Messages' }).waitFor()
    await picture(page, 'inbox-search-messages')
    await list.getByRole('link', { name: /Do you sell turmeric lattes/ }).click()
    await page.locator('[data-hit]').getByText('Do you sell turmeric lattes?').waitFor()

    await search('zebra')
    await page.getByText('No chat or message matches “zebra”').waitFor()
    await picture(page, 'inbox-search-empty')
    await page.getByRole('button', { name: 'Clear search' }).click()
    await until(async () => (await rowsIn(list).count()) === 2, 'the list is back')
    expect(faults).toEqual([])
    await context.close()
  })

  test('shows only matching chats while other customers write', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await shop.inbound('+919812300011', 'Hello', { name: 'Asha Rao' })
    await shop.inbound('+919812300012', 'Hello', { name: 'Asha Iyer' })
    await shop.inbound('+919812300013', 'Hello', { name: 'Dev Menon' })
    await shop.patch(`/conversations/${await chatOf(shop, '+919812300012')}`, { state: 'resolved' })
    const { context, faults, list, search } = await openInbox(shop)
    await search('Asha')
    await until(async () => (await rowsIn(list).count()) === 2, 'two chats match')
    for (let n = 0; n < 5; n++) {
      await shop.inbound(`+91981230010${n}`, `Question ${n}`, { name: `Stranger ${n}` })
      await shop.inbound('+919812300013', `Again ${n}`)
    }
    // The live update of this message comes after those of the others.
    await shop.inbound('+919812300011', 'The last word')
    await list.getByText('The last word').first().waitFor()
    expect(await rowsIn(list).count()).toBe(2)
    expect(await list.getByText(/Stranger|Dev Menon/).count()).toBe(0)

    // A customer who writes again moves from the resolved chats to the open ones.
    await shop.inbound('+919812300012', 'I have another question')
    await list.getByRole('heading', { name: 'Resolved' }).waitFor({ state: 'detached' })
    await until(async () => (await rowsIn(list).count()) === 2, 'both are open')
    expect(faults).toEqual([])
    await context.close()
  })
})
