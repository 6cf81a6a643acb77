/** Sales: settings, a quotation that is accepted, its invoice, its payments, and a voided payment. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { BUYER_GSTIN, madeInvoice, SELLER } from '../support/sales.ts'
import { signIn } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

/** The browser's console message about an expected error answer. */
const REFUSED = /^Failed to load resource: the server responded with a status of 4\d\d/

/** The amounts that reach out of the page. */
const CUT_AMOUNTS = `[...document.querySelectorAll('td, dd')].filter((cell) => {
  if (!cell.textContent.includes('₹') || !cell.checkVisibility()) return false
  const text = document.createRange()
  text.selectNodeContents(cell)
  const { left, right } = text.getBoundingClientRect()
  return left < 0 || right > innerWidth
}).map((cell) => cell.textContent)`

describe.skipIf(!hasChromium)('sales documents', () => {
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

  const open = async (shop: TestWorkspace, role: 'agent' | 'admin' = 'admin', options = {}) => {
    const context = await profileOf(browser, parley, await signIn(parley, shop, role), options)
    return { context, ...(await openPage(context)) }
  }
  const openSellerShop = async (): Promise<TestWorkspace> => {
    const shop = await parley.workspace()
    await shop.set({ modules: ['invoicing'] })
    return shop
  }
  const confirm = (page: Page, name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).click()

  test('a quotation is written, accepted, made an invoice, and paid in two parts with receipts', async () => {
    const shop = await openSellerShop()
    await shop.post('/contacts', { phone: '+919812345678', displayName: 'Asha Rao' })
    const { context, page, faults } = await open(shop)

    // The seller's details come first; errors are shown at their field.
    await page.goto(`/w/${shop.workspaceId}/settings/sales`)
    await page.getByLabel('Legal name').fill(SELLER.legalName)
    await page.getByLabel('GSTIN').fill('29AAPFU0939F1ZV')
    await page.getByLabel('Address', { exact: true }).fill(SELLER.address.line1)
    await page.getByLabel('City').fill(SELLER.address.city)
    await page.getByLabel('State').fill(SELLER.address.state)
    await page.getByLabel('PIN code').fill(SELLER.address.postalCode)
    await page.getByRole('combobox', { name: 'Tax scheme' }).click()
    await page.getByRole('option', { name: 'GST, regular' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Must start with the state of the address.').waitFor()
    await page.getByLabel('GSTIN').fill(SELLER.gstin)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Sales settings saved').waitFor()

    // The quotation: the server computes its sums.
    await page.goto(`/w/${shop.workspaceId}/quotations`)
    await page.getByText('No quotations yet').waitFor()
    await page.keyboard.press('c')
    await page.getByRole('button', { name: 'Choose a contact' }).click()
    await page.getByRole('option', { name: /Asha Rao/ }).click()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Asha Rao')
    await page.getByLabel('GSTIN').fill(BUYER_GSTIN)
    await page.getByLabel('Item 1: description').fill('Kurta')
    await page.getByLabel('Item 1: quantity').fill('2')
    await page.getByLabel('Item 1: price').fill('1,100')
    await page.getByLabel('Item 1: tax in percent').fill('5')
    const sums = page.locator('dl[aria-label="Summary"]')
    await sums.getByText('₹2,310.00').waitFor()
    await sums.getByText('IGST').waitFor()
    // The preview is next to the form if there is room.
    const sheet = page.getByRole('region', { name: 'Preview' })
    await sheet.getByRole('heading', { name: 'Quotation' }).waitFor()
    await sheet.getByText(SELLER.legalName).waitFor()
    await sheet.getByText(`GSTIN ${BUYER_GSTIN}`).waitFor()
    // The place of supply follows the customer, unless it is set.
    const place = page.getByRole('combobox', { name: 'Place of supply' })
    await place.getByText("Customer's state: Karnataka (29)").waitFor()
    await place.click()
    await page.getByRole('option', { name: 'Kerala (32)' }).click()
    await sheet.getByText('Kerala (32)').waitFor()
    await place.click()
    await page.getByRole('option', { name: "Customer's state" }).click()
    await sheet.getByText('Karnataka (29)').waitFor()
    await sheet.getByRole('cell', { name: 'Kurta' }).waitFor()
    await page.getByLabel('Notes').fill('Delivered by Friday.')
    await sheet.getByText('Delivered by Friday.').waitFor()
    await page.setViewportSize({ width: 1000, height: 800 })
    await sheet.waitFor({ state: 'detached' })
    await sums.getByText('₹2,310.00').waitFor()
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('button', { name: 'Add item' }).click()
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('Enter a description').waitFor()
    await page.getByRole('button', { name: 'Remove item 2' }).click()
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('Draft saved').waitFor()
    await page.getByRole('button', { name: 'Issue', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: /^QTN\// }).waitFor()
    await page.getByRole('button', { name: 'Customer accepts' }).click()
    await page.getByText('Accepted', { exact: true }).waitFor()

    // Its invoice, issued, and paid in two parts.
    await page.getByRole('button', { name: 'Create invoice' }).click()
    await page.getByText('Draft created').waitFor()
    await page.getByRole('button', { name: 'Issue', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: /^INV\// }).waitFor()
    await page.getByRole('link', { name: /^From quotation QTN\// }).waitFor()
    await page.getByRole('button', { name: 'Send' }).click()
    const sendDialog = page.getByRole('dialog', { name: /^Send INV\// })
    await sendDialog.getByRole('button', { name: 'Send' }).click()
    await sendDialog.getByRole('alert').waitFor()
    await sendDialog.getByRole('combobox', { name: 'Send by' }).click()
    await page.getByRole('option', { name: 'Link' }).click()
    await sendDialog.getByRole('button', { name: 'Get link' }).click()
    const [link] = (await shop.get('/sales-invoices')).body.invoices as Body[]
    await sendDialog.locator('code').getByText(link.url).waitFor()
    await sendDialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByText('Sent', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'More about this document' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Save as PDF' }).click(),
    ])
    expect(download.suggestedFilename()).toBe(`${link.number.replaceAll('/', '-')}.pdf`)
    await page.keyboard.press('p')
    const dialog = page.getByRole('dialog', { name: 'Record a payment' })
    await dialog.getByLabel('Amount in INR').fill('9999')
    await dialog.getByRole('button', { name: 'Record' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Amount in INR').fill('1000')
    await dialog.getByRole('button', { name: 'Record' }).click()
    await page.getByText('Partly paid').waitFor()
    await page.getByRole('button', { name: 'Record a payment' }).click()
    expect(await dialog.getByLabel('Amount in INR').inputValue()).toBe('1310')
    await dialog.getByRole('combobox', { name: 'Method' }).click()
    await page.getByRole('option', { name: 'Bank transfer' }).click()
    await dialog.getByRole('button', { name: 'Record' }).click()
    await page.getByText('Paid', { exact: true }).waitFor()
    const receipts = page.getByRole('table', { name: 'Payments' })
    expect(await receipts.getByText(/^RCT\//).count()).toBe(2)
    const [invoice] = (await shop.get('/sales-invoices')).body.invoices as Body[]
    expect(invoice).toMatchObject({ status: 'paid', balanceMinor: 0, totalMinor: 231_000 })

    // One of the payments bounced.
    await receipts
      .getByRole('button', { name: /^Void receipt RCT/ })
      .last()
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Void', exact: true }).click()
    await page.getByText('Enter a reason').waitFor()
    await page.getByLabel('Reason').fill('The transfer came back.')
    await confirm(page, 'Void')
    await receipts.getByText('The transfer came back.').waitFor()
    await page.getByText('Partly paid').waitFor()
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test('an issued invoice is revised and canceled, its versions stay; lists are filtered', async () => {
    const shop = await openSellerShop()
    const paid = await madeInvoice(shop, { issue: true, customer: { name: 'Ravi Menon' } })
    const draft = await madeInvoice(shop, { kind: 'proforma', customer: { name: 'Meera Iyer' } })
    const { context, page, faults } = await open(shop)
    await page.goto(`/w/${shop.workspaceId}/invoices`)
    const list = page.getByRole('table', { name: 'Invoices' })
    await list.getByRole('link', { name: /Meera Iyer/ }).waitFor()
    await page.getByRole('tab', { name: 'Issued' }).click()
    await list.getByRole('link', { name: /Meera Iyer/ }).waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: 'All' }).click()
    await page.getByLabel('Search by number, customer, or reference').fill('Meera')
    await list.getByRole('link', { name: /Ravi Menon/ }).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.goto(`/w/${shop.workspaceId}/invoices/${paid.id}`)
    await page.getByRole('heading', { name: paid.number }).waitFor()
    await page.keyboard.press('e')
    await page.getByRole('heading', { name: `Revise ${paid.number}` }).waitFor()
    await page.getByLabel('Item 1: quantity').fill('3')
    await page.locator('dl[aria-label="Summary"]').getByText('₹3,465.00').waitFor()
    const question = page.getByRole('dialog', { name: 'Discard changes?' })
    await page.getByRole('button', { name: 'Back to the list' }).click()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save new version' }).click()
    await page.getByText('Version 2 saved').waitFor()
    await page.getByRole('combobox', { name: 'Version' }).click()
    await page.getByRole('option', { name: 'Version 1' }).click()
    await page.getByText('You are reading version 1. The current version is 2.').waitFor()
    await page.getByRole('cell', { name: '2 NOS' }).waitFor()
    await page.getByRole('combobox', { name: 'Version' }).click()
    await page.getByRole('option', { name: 'Version 2' }).click()
    await page.getByRole('button', { name: 'More about this document' }).click()
    await page.getByRole('menuitem', { name: 'Replace customer link' }).click()
    await confirm(page, 'Replace customer link')
    await page.getByText('Link replaced').waitFor()
    expect((await shop.get(`/sales-invoices/${paid.id}`)).body.invoice.url).not.toBe(paid.url)
    await page.getByRole('button', { name: 'More about this document' }).click()
    await page.getByRole('menuitem', { name: 'Cancel document' }).click()
    await page.getByLabel('Reason').fill('Issued twice.')
    await confirm(page, 'Cancel document')
    await page.getByText('Canceled', { exact: true }).first().waitFor()

    // Leaving a saved draft asks nothing, leaving unsaved changes asks for confirmation; a deleted draft
    // leaves no trace.
    await page.goto(`/w/${shop.workspaceId}/invoices/${draft.id}`)
    await page.getByLabel('Notes').fill('Delivered by Friday.')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('Draft saved').waitFor()
    await page.getByRole('button', { name: 'Back to the list' }).click()
    await page.getByRole('link', { name: /Meera Iyer/ }).click()
    await page.getByLabel('Notes').fill('Delivered by Monday.')
    await page.getByRole('button', { name: 'Back to the list' }).click()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    expect(await page.getByLabel('Notes').inputValue()).toBe('Delivered by Monday.')
    await page.getByRole('button', { name: 'Delete' }).click()
    await confirm(page, 'Delete')
    await page.getByRole('heading', { name: 'Invoices' }).waitFor()
    expect((await shop.get(`/sales-invoices/${draft.id}`)).status).toBe(404)
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test('fields outside of the form are kept when a document is changed: the place of supply, and reverse charge', async () => {
    const shop = await openSellerShop()
    const draft = await madeInvoice(shop, { placeOfSupply: '29', reverseCharge: true })
    const { context, page } = await open(shop)
    await page.goto(`/w/${shop.workspaceId}/invoices/${draft.id}`)
    const totals = page.locator('dl[aria-label="Summary"]')
    await totals.getByText('IGST (reverse charge)').waitFor()
    expect(await totals.getByText('₹2,200.00').count()).toBe(2)
    await page.getByText('₹2,200.00 excluding tax').waitFor()
    await page.getByRole('button', { name: 'Issue', exact: true }).click()
    await page.getByText(/ issued$/).waitFor()
    await page.getByText('IGST (reverse charge)').waitFor()
    await context.close()
  })

  test('a rejected request is sent again on retry, and a request whose answer was lost is done once', async () => {
    const shop = await parley.workspace({ sandbox: true })
    await shop.set({ modules: ['invoicing'] })
    const phone = '+919812345678'
    await shop.post('/contacts', { phone, displayName: 'Asha Rao' })
    const { id } = await madeInvoice(shop, { issue: true, customer: { name: 'Asha Rao', phone } })
    const { context, page } = await open(shop)
    await page.goto(`/w/${shop.workspaceId}/invoices/${id}`)
    await page.getByRole('button', { name: 'Send' }).click()
    const dialog = page.getByRole('dialog', { name: /^Send INV\// })
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.getByRole('alert').waitFor()

    // The cause of the error is gone: the customer has messaged.
    await shop.inbound(phone, 'Where is my invoice?', { name: 'Asha Rao' })
    let lost = 0
    await page.route(`**/sales-invoices/${id}/send`, async (route) => {
      if (lost++ > 0) return route.continue()
      await route.fetch()
      await route.abort('connectionreset')
    })
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.getByText("The server can't be reached.").waitFor()
    await dialog.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Sending to the chat').waitFor()
    expect((await shop.get('/messages?direction=outbound')).body.messages).toHaveLength(1)
    await context.close()
  })

  test("long words and large amounts leave an invoice readable, here and on the customer's page", async () => {
    const shop = await openSellerShop()
    const { id, url } = await madeInvoice(shop, {
      issue: true,
      customer: {
        name: 'Asha Rao',
        billingAddress: { line1: '7 Residency Road', city: 'Bengaluru', state: '29', postalCode: '560025' },
      },
      lines: [
        {
          description: 'W'.repeat(200),
          hsn: '62114210',
          quantity: 999.999,
          unitMinor: 99_999_999,
          taxRate: 28,
        },
        { description: 'Kurta', quantity: 1, unitMinor: 9_999_999_999, taxRate: 5 },
      ],
    })
    const { context, page } = await open(shop)
    const address = `${parley.url}${new URL(url).pathname}`
    for (const width of [1280, 390])
      for (const place of [`/w/${shop.workspaceId}/invoices/${id}`, address]) {
        await page.setViewportSize({ width, height: 800 })
        await page.goto(place)
        const cell = page.locator('td').filter({ hasText: 'WWW' })
        await cell.waitFor()
        expect((await cell.boundingBox())!.width, place).toBeGreaterThan(120)
        expect(await page.evaluate('document.documentElement.scrollWidth'), place).toBeLessThanOrEqual(width)
      }
    // On a phone, every amount is shown whole: in the list, in the document, and in the preview of a draft.
    const lines = [
      { description: 'Silk saree', hsn: '62114210', quantity: 99, unitMinor: 999_999_999, taxRate: 28 },
    ]
    const draft = await madeInvoice(shop, { lines })
    const invoices = `/w/${shop.workspaceId}/invoices`
    for (const [path, amount] of [
      [`${invoices}/${id}`, /9,99,99,999\.99/],
      [invoices, /\d,\d\d,\d\d,\d\d\d\.\d\d/],
      [`${invoices}/${draft.id}`, /98,99,99,999\.01/],
    ] as const) {
      await page.goto(path)
      await page.getByText(amount).filter({ visible: true }).first().waitFor()
      await picture(
        page,
        `sales-phone-amounts-${path === invoices ? 'list' : path.endsWith(id) ? 'issued' : 'draft'}`,
      )
      expect(await page.evaluate(CUT_AMOUNTS), path).toEqual([])
    }
    await page.goto(`${invoices}/${id}`)
    await page.getByText('Bengaluru, Karnataka, 560025').waitFor()
    await context.close()
  })

  test('an unknown invoice or quotation is reported as missing, without an offer to try again', async () => {
    const shop = await openSellerShop()
    const { context, page, faults } = await open(shop)
    for (const [noun, text] of [
      ['invoices', "This invoice doesn't exist"],
      ['quotations', "This quotation doesn't exist"],
    ]) {
      await page.goto(`/w/${shop.workspaceId}/${noun}/01970f3e-8a6b-7c1d-9e2f-3a4b5c6d7e8f`)
      await page.getByText(text!).waitFor()
      expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    }
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test('if the module is off, the menu has no such pages, and they say who can turn it on', async () => {
    const shop = await parley.workspace()
    const { context, page } = await open(shop, 'agent')
    await page.goto(`/w/${shop.workspaceId}/invoices`)
    await page.getByRole('heading', { name: 'Invoices and quotations are turned off' }).waitFor()
    await page.getByText('--modules invoicing').waitFor()
    expect(await page.getByRole('link', { name: 'Invoices' }).count()).toBe(0)
    await context.close()
  })
})
