/** The side panel of a chat and the contact's page show the customer's records as links, and follow changes. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { madeBooking, madeService } from '../support/bookings.ts'
import { boot, type TestParley } from '../support/boot.ts'
import { madeInvoice } from '../support/sales.ts'
import { signIn } from '../support/sessions.ts'
import { until } from '../support/until.ts'
import { violationsOf } from './axe.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

const ASHA = '+919812345678'

describe.skipIf(!hasChromium)('the records of a customer', () => {
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

  test('are beside the chat and on the contact page, fold, and follow changes', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await shop.set({ modules: ['bookings', 'invoicing', 'reviews'] })
    await shop.inbound(ASHA, 'When is my fitting?', { name: 'Asha Rao' })
    const { contact } = (await shop.get(`/contacts/${ASHA}`)).body
    const [chat] = (await shop.get('/conversations')).body.conversations
    const invoice = await madeInvoice(shop, { contactId: contact.id, issue: true })
    const serviceId = (await madeService(shop, { name: 'Fitting' })).id
    await madeBooking(shop, { serviceId, phone: undefined, name: undefined, contactId: contact.id })
    const me = await signIn(parley, shop, 'admin')
    const context = await profileOf(browser, parley, me)
    const { page, faults } = await openPage(context)
    await page.setViewportSize({ width: 1280, height: 1000 })
    await page.goto(`/w/${shop.workspaceId}/inbox/${chat.id}`)
    const side = page.getByRole('complementary', { name: 'Details' })
    await side.getByText('Not a lead yet.').waitFor()
    await side.getByRole('link', { name: 'Fitting' }).waitFor()
    await side.getByRole('link', { name: invoice.number }).waitFor()

    // A lead is added here; its task by a teammate appears without a reload.
    await side.getByRole('button', { name: 'Add as lead' }).click()
    await side.getByRole('link', { name: 'Open the lead in New' }).waitFor()
    await shop.post('/tasks', { leadId: ASHA, title: 'Call about the size', dueAt: '2031-01-02T10:00:00Z' })
    await side.getByText('Call about the size').waitFor()
    await picture(page, 'customer-1280')
    expect(await violationsOf(page)).toEqual([])
    await side.getByRole('button', { name: 'Complete “Call about the size”' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Complete task' }).click()
    await side.getByText('Call about the size').waitFor({ state: 'hidden' })

    // Folded parts stay folded.
    await side.getByRole('button', { name: /^Invoices/ }).click()
    await side.getByRole('link', { name: invoice.number }).waitFor({ state: 'hidden' })
    await page.reload()
    await side.getByRole('link', { name: 'Fitting' }).waitFor()
    expect(await side.getByRole('button', { name: /^Invoices/ }).getAttribute('aria-expanded')).toBe('false')
    await side.getByRole('button', { name: /^Invoices/ }).click()

    await page.emulateMedia({ colorScheme: 'dark' })
    await picture(page, 'customer-dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Details' }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('link', { name: invoice.number }).scrollIntoViewIfNeeded()
    await picture(page, 'customer-390')

    await page.setViewportSize({ width: 1280, height: 1000 })
    await page.goto(`/w/${shop.workspaceId}/contacts/${contact.id}`)
    await page.getByRole('link', { name: invoice.number }).waitFor()
    await page.getByRole('link', { name: 'Open chat' }).waitFor()
    await picture(page, 'customer-contact')
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('link', { name: 'Fitting' }).click()
    await until(() => page.url().includes('/bookings/'), 'the booking opens')
    expect(faults).toEqual([])
    await context.close()
  })
})
