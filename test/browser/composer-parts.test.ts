/** The + of the composer: messages that are built from parts, documents and bookings of the customer. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { madeBooking, madeService } from '../support/bookings.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { madeInvoice, sellsAs } from '../support/sales.ts'
import { signIn } from '../support/sessions.ts'
import { storeTemplate } from '../support/templates.ts'
import { violationsOf } from './axe.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const ASHA = '+919812345678'

describe.skipIf(!hasChromium)('the + of the composer', () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  let chat: string
  beforeAll(async () => {
    parley = await boot()
    shop = await parley.workspace({ sandbox: true })
    await shop.inbound(ASHA, 'Which sizes do you have?', { name: 'Asha Rao' })
    chat = (await shop.get('/conversations')).body.conversations[0].id
    await storeTemplate(parley, shop, {
      name: 'order_ready',
      components: [{ type: 'BODY', text: 'Hello {{1}}, order {{2}} is ready.' }],
    })
    await storeTemplate(parley, shop, {
      name: 'order_late',
      components: [{ type: 'BODY', text: 'Your order is late.' }],
    })
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  const open = async (options: BrowserContextOptions = {}) => {
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'agent'), options)
    const { page, faults } = await openPage(context)
    await show(page)
    return { context, page, faults }
  }
  const show = async (page: Page) => {
    await page.goto(`/w/${shop.workspaceId}/inbox/${chat}`)
    await page.getByRole('log').getByText('Which sizes do you have?').waitFor()
  }
  const more = (page: Page) => page.getByRole('button', { name: 'Send something else' })
  const choose = async (page: Page, entry: string) => {
    await more(page).click()
    await page.getByRole('menuitem', { name: entry, exact: true }).click()
  }
  const listSent = async () =>
    (await shop.get(`/messages?conversationId=${chat}&direction=outbound`)).body.messages as {
      type: string
      text: string | null
      content: Record<string, unknown>
    }[]

  test('builds reply buttons within the limits of the operator, keeps them after a reload, and sends them', async () => {
    const { context, page, faults } = await open()
    await choose(page, 'Reply buttons')
    const dialog = page.getByRole('dialog', { name: 'Reply buttons' })
    await dialog.getByRole('button', { name: 'Send' }).click()
    expect(await dialog.getByText('Enter a value.').count()).toBe(2)
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA')
    await page.keyboard.type('Which size?')
    await dialog.getByText('11 of 1,024 characters').waitFor()
    await dialog.getByRole('textbox', { name: 'Button 1' }).fill('Extra extra large, please')
    await dialog.getByText('Too long by 5 characters').waitFor()
    await dialog.getByRole('textbox', { name: 'Button 1' }).fill('Small')
    await dialog.getByRole('button', { name: 'Add button' }).click()
    await dialog.getByRole('textbox', { name: 'Button 2' }).fill('Small')
    await dialog.getByText('Must differ from the other buttons.').waitFor()
    await dialog.getByRole('textbox', { name: 'Button 2' }).fill('Large')
    await dialog.getByRole('region', { name: 'Preview' }).getByText('Large').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await picture(page, 'composer-buttons')

    // Escape and a reload lose nothing.
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Not sent yet: Reply buttons').waitFor()
    await picture(page, 'composer-unsent')
    await page.reload()
    await page.getByRole('button', { name: 'Continue' }).click()
    expect(await dialog.getByRole('textbox', { name: 'Button 2' }).inputValue()).toBe('Large')
    await dialog.getByRole('button', { name: 'Send' }).click()
    await page.locator('[data-message]').filter({ hasText: 'Which size?' }).getByText('Small').waitFor()
    expect(await page.getByText('Not sent yet').count()).toBe(0)
    expect((await listSent())[0]).toMatchObject({
      type: 'interactive',
      content: {
        type: 'button',
        action: { buttons: [{ reply: { id: 'Small' } }, { reply: { id: 'Large' } }] },
      },
    })
    expect(faults).toEqual([])
    await context.close()
  })

  test('builds a list with the keyboard alone', async () => {
    const { context, page, faults } = await open()
    await expect.poll(() => more(page).isEnabled()).toBe(true)
    await more(page).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menu').waitFor()
    await page.keyboard.type('Lis')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'List' })
    await dialog.waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA')
    await page.keyboard.type('What would you like?')
    await page.keyboard.press('Tab')
    await page.keyboard.type('See the menu')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Soups')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Rasam')
    await page.keyboard.press('Tab')
    await page.keyboard.type('With pepper')
    await picture(page, 'composer-list')
    await page.keyboard.press('Enter')
    await page
      .locator('[data-message]')
      .filter({ hasText: 'What would you like?' })
      .getByText('Rasam')
      .waitFor()
    await dialog.waitFor({ state: 'detached' })
    await more(page).and(page.locator(':focus')).waitFor()
    expect((await listSent())[0]).toMatchObject({
      content: {
        type: 'list',
        action: { button: 'See the menu', sections: [{ title: 'Soups', rows: [{ title: 'Rasam' }] }] },
      },
    })
    expect(faults).toEqual([])
    await context.close()
  })

  test('sends a place from a map link, and the place of the device on a click, on a phone', async () => {
    const { context, page, faults } = await open({
      ...PHONE,
      geolocation: { latitude: 12.9716, longitude: 77.5946 },
      permissions: ['geolocation'],
    })
    await more(page).click()
    await page.getByRole('menuitem', { name: 'Location' }).waitFor()
    await picture(page, 'composer-sheet')
    const sheet = (await page.getByRole('menu').boundingBox())!
    expect([sheet.x, sheet.width, sheet.y + sheet.height]).toEqual([0, 390, 844])
    for (const entry of await page.getByRole('menuitem').all())
      expect((await entry.boundingBox())!.height).toBeGreaterThanOrEqual(44)
    await page.getByRole('menuitem', { name: 'Location' }).click()
    const dialog = page.getByRole('dialog', { name: 'Location' })
    const link = dialog.getByRole('textbox', { name: 'Map link' })
    await link.fill('https://maps.app.goo.gl/abc')
    await dialog.getByText("Short links don't contain a location.").waitFor()
    await link.fill(
      'https://www.google.com/maps/place/Hill+Road+Bakery/@19.05,72.82,17z/data=!3d19.0596!4d72.8295',
    )
    expect(await dialog.getByRole('textbox', { name: 'Latitude' }).inputValue()).toBe('19.0596')
    expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Hill Road Bakery')
    await dialog.getByRole('button', { name: 'Use my location' }).click()
    await expect.poll(() => dialog.getByRole('textbox', { name: 'Longitude' }).inputValue()).toBe('77.5946')
    await picture(page, 'composer-location')
    expect(await violationsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Send' }).click()
    await page.locator('[data-message]').filter({ hasText: 'Hill Road Bakery' }).waitFor()
    expect((await listSent())[0]).toMatchObject({
      type: 'location',
      content: { latitude: 12.9716, longitude: 77.5946, name: 'Hill Road Bakery' },
    })
    expect(faults).toEqual([])
    await context.close()
  })

  test('sends a product, and remembers the catalog', async () => {
    const { context, page } = await open()
    await choose(page, 'Product')
    const dialog = page.getByRole('dialog', { name: 'Product' })
    await dialog.getByRole('textbox', { name: 'Product ID' }).fill('mug-blue')
    await dialog.getByRole('textbox', { name: 'Catalog ID' }).fill('7710')
    await dialog.getByRole('button', { name: 'Send' }).click()
    await page.locator('[data-message]').filter({ hasText: 'View product mug-blue' }).waitFor()
    await choose(page, 'Product')
    expect(await dialog.getByRole('textbox', { name: 'Catalog ID' }).inputValue()).toBe('7710')
    await context.close()
  })

  test('holds a list if a teammate answered while it was built, and returns it on Edit', async () => {
    const { context, page } = await open()
    await choose(page, 'List')
    const dialog = page.getByRole('dialog', { name: 'List' })
    await dialog.getByRole('textbox', { name: 'Text', exact: true }).fill('Pick a day')
    await dialog.getByRole('textbox', { name: 'Button that opens the list' }).fill('Days')
    await dialog.getByRole('textbox', { name: 'Row 1' }).fill('Monday')
    const teammate = await signIn(parley, shop, 'agent')
    await teammate.post('/send', { to: ASHA, type: 'text', text: 'We call you back.' })
    await page.locator('[data-message]').filter({ hasText: 'We call you back.' }).waitFor()
    await dialog.getByRole('button', { name: 'Send' }).click()
    const held = page.locator('[data-outbox]').filter({ hasText: 'Pick a day' })
    await held.getByText('Send anyway?').waitFor()
    await held.getByRole('button', { name: 'Edit' }).click()
    await page.getByText('Not sent yet: List').waitFor()
    await page.getByRole('button', { name: 'Discard: List' }).click()
    expect(await page.getByText('Not sent yet').count()).toBe(0)
    await context.close()
  })

  test('offers documents and bookings only if their modules are on, and sends those of the customer', async () => {
    await shop.set({ modules: [] })
    const { context, page, faults } = await open()
    await more(page).click()
    await page.getByRole('menuitem', { name: 'Product' }).waitFor()
    expect(await page.getByRole('menuitem', { name: /Invoice|Quotation|Booking/ }).count()).toBe(0)
    await context.close()

    await shop.set({ modules: ['invoicing', 'bookings'] })
    await sellsAs(shop)
    const contactId = (await shop.get(`/conversations/${chat}`)).body.conversation.contact.id
    const invoice = await madeInvoice(shop, { contactId, issue: true })
    const { id: serviceId } = await madeService(shop)
    const booking = await madeBooking(shop, { serviceId, contactId, phone: undefined, name: undefined })
    const next = await open()
    await choose(next.page, 'Invoice')
    const finder = next.page.getByRole('dialog', { name: 'Invoices of Asha Rao' })
    await finder.getByRole('option', { name: invoice.number }).waitFor()
    await picture(next.page, 'composer-invoices')
    await next.page.keyboard.press('Enter')
    const sending = next.page.getByRole('dialog', { name: `Send ${invoice.number} to Asha Rao` })
    await sending.getByRole('textbox', { name: 'Message' }).fill('Here you are')
    await picture(next.page, 'composer-invoice')
    await sending.getByRole('button', { name: 'Send' }).click()
    await next.page.locator('[data-message]').filter({ hasText: 'Here you are' }).waitFor()

    await choose(next.page, 'Booking')
    await next.page.getByRole('option', { name: booking.summary }).click()
    const field = next.page.getByRole('textbox', { name: 'Message' })
    await expect.poll(() => field.inputValue()).toBe(`${booking.summary}\n${booking.url}`)
    await field.fill('')

    // A new document starts with the customer.
    await choose(next.page, 'Quotation')
    await next.page.getByRole('option', { name: 'Create a quotation for Asha Rao' }).click()
    await expect.poll(() => next.page.getByLabel('Name', { exact: true }).inputValue()).toBe('Asha Rao')
    await show(next.page)
    await choose(next.page, 'Booking')
    await next.page.getByRole('option', { name: 'Create a booking for Asha Rao' }).click()
    await next.page.getByRole('dialog', { name: 'New booking' }).getByText('Asha Rao').waitFor()
    expect([...faults, ...next.faults]).toEqual([])
    await next.context.close()
  })

  test('finds, fills, and sends a template with the keyboard alone, and the focus returns', async () => {
    const { context, page, faults } = await open()
    await choose(page, 'Use a template')
    const dialog = page.getByRole('dialog', { name: 'Send a template' })
    const search = dialog.getByRole('combobox', { name: 'Search templates' })
    await search.and(page.locator(':focus')).waitFor()
    await page.keyboard.type('order')
    const current = dialog.getByRole('option', { selected: true })
    const first = await current.textContent()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => current.textContent()).not.toBe(first)
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => current.textContent()).toBe(first)
    expect(await violationsOf(page)).toEqual([])
    await picture(page, 'template-list')
    await page.keyboard.type(' ready')
    await current.getByText('order_ready').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Value for {{1}}' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.type('Asha')
    // Enter goes to the value that is missing, and sends when none is.
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Value for {{2}}' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.type('BL-7')
    await picture(page, 'template-values')
    await page.keyboard.press('Enter')
    await page.locator('[data-message]').filter({ hasText: 'Hello Asha, order BL-7 is ready.' }).waitFor()
    await more(page).and(page.locator(':focus')).waitFor()

    // From the palette, Escape returns to the chat.
    await page.keyboard.press('ControlOrMeta+k')
    // Until the palette is loaded, letters are shortcuts of the page.
    await page.getByRole('dialog').getByRole('combobox').waitFor()
    await page.keyboard.type('Send a template')
    await page.getByRole('option', { name: 'Send a template' }).click()
    await search.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement !== document.body')).toBe(true)
    expect(faults).toEqual([])
    await context.close()
  })

  test('shows thumbnails of photos in the draft, without reading them from the server', async () => {
    const { context, page, faults } = await open()
    const photo = await page.screenshot({ clip: { x: 0, y: 0, width: 400, height: 300 } })
    const reads: string[] = []
    page.on('request', (sent) => {
      if (sent.url().includes('/files/')) reads.push(sent.url())
    })
    const chooser = page.waitForEvent('filechooser')
    await choose(page, 'Attach files')
    await (await chooser).setFiles([
      { name: 'shelf.png', mimeType: 'image/png', buffer: photo },
      { name: 'list.txt', mimeType: 'text/plain', buffer: Buffer.from('What is in stock.') },
    ])
    const files = page.getByRole('list', { name: 'Attached files' })
    await files.getByRole('button', { name: 'Remove list.txt' }).waitFor()
    expect(await files.locator('img').count()).toBe(1)
    expect(await files.locator('img').evaluate((image: { naturalWidth: number }) => image.naturalWidth)).toBe(
      96,
    )
    expect(reads).toEqual([])
    await picture(page, 'composer-thumbnails')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('button', { name: 'Enlarge: Photo' }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  test('sends an in-chat form', async () => {
    const { context, page, faults } = await open()
    const screens = [
      {
        title: 'Visit',
        button: 'Send',
        fields: [{ name: 'day', kind: 'date', label: 'Day', required: true }],
      },
    ]
    const { flow } = (await shop.post('/flows', { name: 'Visit us', categories: ['SURVEY'], screens })).body
    await shop.post(`/flows/${flow.id}/publish`)
    await choose(page, 'In-chat form')
    const dialog = page.getByRole('dialog', { name: 'In-chat form' })
    await dialog.getByRole('button', { name: 'Send' }).click()
    expect(await dialog.getByText('Enter a value.').count()).toBeGreaterThan(1)
    await dialog.getByRole('combobox', { name: 'Form' }).click()
    await page.getByRole('option', { name: 'Visit us' }).click()
    await dialog.getByLabel('Message').fill('When would you like to come?')
    await dialog.getByLabel('Button').fill('Choose a day')
    await dialog.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('log').getByText('When would you like to come?').waitFor()
    const [sent] = await listSent()
    expect(sent!.content).toMatchObject({
      action: { parameters: { flow_cta: 'Choose a day' } },
      body: { text: 'When would you like to come?' },
    })
    expect(faults).toEqual([])
    await context.close()
  })
})
