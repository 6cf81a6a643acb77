/** A payment is requested from a customer in the chat, and the customer pays. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley } from '../support/boot.ts'
import { connectNumber } from '../support/operator-webhooks.ts'
import { pay, payingShop, reportCustomer, requestWhen } from '../support/payments.ts'
import { signIn } from '../support/sessions.ts'
import { until } from '../support/until.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'

describe.skipIf(!hasChromium)('payments', () => {
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

  test('a payment is requested from the + of the composer, and ends in paid', async () => {
    const { shop, conversationId } = await payingShop(parley)
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'agent'))
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/inbox/${conversationId}`)
    await page.getByRole('button', { name: 'Send something else' }).click()
    await page.getByRole('menuitem', { name: 'Request payment' }).click()
    const dialog = page.getByRole('dialog', { name: 'Request payment' })
    await dialog.getByRole('button', { name: 'Send request' }).click()
    await dialog.getByText('Enter an item name.').waitFor()
    await dialog.getByRole('textbox', { name: 'Name of item 1' }).fill('Kurta')
    await dialog.getByRole('textbox', { name: 'Quantity of item 1' }).fill('2')
    await dialog.getByRole('textbox', { name: 'Price of item 1 in rupees' }).fill('220.50')
    await dialog.getByRole('textbox', { name: 'Shipping, ₹' }).fill('40')
    await dialog.getByRole('textbox', { name: 'Order number' }).fill('ORD-7')
    await dialog.getByText('Total ₹481').waitFor()
    await dialog.getByRole('button', { name: 'Send request' }).click()
    await dialog.waitFor({ state: 'detached' })
    const request = await requestWhen(shop, 'ORD-7', ({ totalPaise }) => totalPaise === 48_100, 'the request')
    expect(request).toMatchObject({
      conversationId,
      items: [{ name: 'Kurta', quantity: 2, unitPaise: 22_050 }],
    })

    // The message in the chat.
    await page.getByText('Please pay for order ORD-7').first().waitFor()
    await shop.advance(10)

    // An order with an earlier request is not requested again.
    await page.getByRole('button', { name: 'Send something else' }).click()
    await page.getByRole('menuitem', { name: 'Request payment' }).click()
    await dialog.getByRole('textbox', { name: 'Name of item 1' }).fill('Saree')
    await dialog.getByRole('textbox', { name: 'Price of item 1 in rupees' }).fill('900')
    await dialog.getByRole('textbox', { name: 'Order number' }).fill('ORD-7')
    await dialog.getByRole('button', { name: 'Send request' }).click()
    await dialog.getByText('This order number is already used.').waitFor()
    await dialog.getByRole('textbox', { name: 'Order number' }).fill('ORD-8')
    await dialog.getByRole('button', { name: 'Send request' }).click()
    await dialog.waitFor({ state: 'detached' })
    await shop.advance(10)

    // Both wait; one is paid, and the page is notified; the other is canceled.
    await page.goto(`/w/${shop.workspaceId}/payments`)
    const row = (order: string) => page.getByRole('row', { name: new RegExp(order) })
    await row('ORD-7').getByText('Waiting for payment').waitFor()
    await row('ORD-7').getByRole('button', { name: 'Copy the payment link of ORD-7' }).waitFor()
    await row('ORD-8').getByText('₹900').waitFor()
    await pay(parley, shop, 'ORD-7')
    await row('ORD-7').getByText('Paid', { exact: true }).waitFor()
    await row('ORD-8').getByRole('button', { name: 'Cancel ORD-8' }).click()
    await page.getByRole('button', { name: 'Cancel request' }).click()
    await row('ORD-8').getByText('Canceled').waitFor()
    await page.getByRole('tab', { name: 'Paid' }).click()
    await row('ORD-8').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: /ORD-7/ }).click()
    const detail = page.getByRole('dialog', { name: 'ORD-7' })
    await detail.getByText('Amount paid').waitFor()
    await detail.getByRole('link', { name: 'Open chat' }).click()
    await page.waitForURL(new RegExp(`/inbox/${conversationId}`))
    expect(faults).toEqual([])
    await context.close()
  })

  test('a request whose answer was lost is created once, and is not confused with another', async () => {
    const { shop, conversationId } = await payingShop(parley)
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'agent'))
    const { page } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/inbox/${conversationId}`)
    await page.getByRole('button', { name: 'Send something else' }).click()
    await page.getByRole('menuitem', { name: 'Request payment' }).click()
    const dialog = page.getByRole('dialog', { name: 'Request payment' })
    await dialog.getByRole('textbox', { name: 'Name of item 1' }).fill('Kurta')
    await dialog.getByRole('textbox', { name: 'Price of item 1 in rupees' }).fill('220')
    await dialog.getByRole('textbox', { name: 'Order number' }).fill('ORD-9')
    let lost = 0
    await page.route('**/api/v1/payment-requests', async (route) => {
      if (lost++ > 0) return route.continue()
      // The request arrives, and the answer is lost.
      await route.fetch()
      await route.abort('connectionreset')
    })
    await dialog.getByRole('button', { name: 'Send request' }).click()
    await dialog.getByText("The server can't be reached.").waitFor()
    await requestWhen(shop, 'ORD-9', ({ status }) => status !== 'created', 'the request that went out')
    await dialog.getByRole('button', { name: 'Send request' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Please pay for order ORD-9').first().waitFor()
    await context.close()
  })

  test('without a payment gateway the form says that the gateway is missing, and sends no request', async () => {
    const shop = await parley.workspace()
    await reportCustomer(await connectNumber(parley, shop), '+919812345678')
    const conversations = await until(async () => {
      const found = (await shop.get('/conversations')).body.conversations
      return found.length > 0 && found
    }, 'the chat is there')
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'agent'))
    const { page } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/inbox/${conversations[0].id}`)
    await page.getByRole('button', { name: 'Send something else' }).click()
    await page.getByRole('menuitem', { name: 'Request payment' }).click()
    await page.getByRole('textbox', { name: 'Name of item 1' }).fill('Kurta')
    await page.getByRole('textbox', { name: 'Price of item 1 in rupees' }).fill('220')
    await page.getByRole('button', { name: 'Send request' }).click()
    await page.getByText('No payment gateway is connected.').waitFor()
    expect((await shop.get('/payment-requests')).body.paymentRequests).toEqual([])
    await context.close()
  })

  test('on a phone a request stays in one piece next to its actions', async () => {
    const { shop, conversationId } = await payingShop(parley)
    const response = await shop.post('/payment-requests', {
      conversationId,
      referenceId: 'ORD-2026-1001-of-the-second-branch',
      items: [{ name: 'Kurta', quantity: 2, unitPaise: 22_000 }],
    })
    expect(response.status).toBe(201)
    const session = await signIn(parley, shop, 'agent')
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    const context = await profileOf(browser, parley, session, phone)
    const { page } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/payments`)
    await page.getByRole('table').getByText('Waiting for payment').waitFor()
    const tooWide = await page.evaluate(
      `[document.documentElement, document.querySelector('div:has(> table)')]
        .map((one) => one.scrollWidth - one.clientWidth)`,
    )
    expect(tooWide).toEqual([0, 0])
    await context.close()
  })
})
