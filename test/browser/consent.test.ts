/** A chat with a customer who can't be messaged: no field offers a message that the service would reject. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { signIn } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'

describe.skipIf(!hasChromium)('a chat whose window is open', () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  let page: Page
  let faults: string[]
  beforeAll(async () => {
    parley = await boot()
    shop = await parley.workspace({ sandbox: true })
    browser = await launch()
    ;({ page, faults } = await openPage(
      await profileOf(browser, parley, await signIn(parley, shop, 'agent')),
    ))
  })
  afterAll(async () => {
    expect(faults).toEqual([])
    await browser?.close()
    await parley?.close()
  })

  test.each([
    ['opted out', '+919812345671', 'This customer opted out'],
    ['is blocked', '+919812345672', 'This customer is blocked'],
  ])('of a customer who %s accepts notes and no replies', async (state, phone, words) => {
    await shop.inbound(phone, 'Hello', { name: state })
    await shop.inbound(phone, state === 'opted out' ? 'STOP' : 'Hello?', { name: state })
    if (state === 'is blocked') expect((await shop.post(`/contacts/${phone}/block`)).status).toBe(200)
    const { conversations } = (await shop.get('/conversations')).body
    const { id, windowOpen } = conversations.find(
      ({ contact }: { contact: { phone: string } }) => contact.phone === phone,
    )
    expect(windowOpen).toBe(true)
    await page.goto(`/w/${shop.workspaceId}/inbox/${id}`)
    await page.getByText(words).waitFor()
    expect(await page.getByRole('textbox', { name: 'Message' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Write a note' }).last().click()
    await page.getByRole('textbox', { name: 'Internal note' }).fill(`Note about who ${state}`)
    await page.getByRole('button', { name: 'Add note' }).click()
    // In the field, and as a draft next to the chat, it stays until it is stored.
    await page.getByRole('log').getByText(`Note about who ${state}`).waitFor()
    await page.getByRole('button', { name: 'Reply', exact: true }).click()
    await page.getByText(words).waitFor()
  })
})
