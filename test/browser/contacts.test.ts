/** Contacts: searched, tagged together, edited in place, erased. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley } from '../support/boot.ts'
import { signInByLink } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

describe.skipIf(!hasChromium)('contacts', () => {
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

  test('Enter pressed twice in a dialog creates one contact', async () => {
    const shop = await parley.workspace({ sandbox: true })
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    const context = await profileOf(browser, parley, session)
    const { page } = await openPage(context)
    let requests = 0
    const answer = Promise.withResolvers<void>()
    await page.route('**/contacts', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      requests++
      await answer.promise
      return route.continue()
    })
    await page.goto(`/w/${shop.workspaceId}/contacts`)
    await page.getByRole('button', { name: 'Add contact' }).first().click()
    const phone = page.getByRole('dialog').getByLabel('Phone number')
    await phone.fill('+919812345678')
    await phone.press('Enter')
    await expect.poll(() => requests).toBe(1)
    await phone.press('Enter')
    answer.resolve()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(requests).toBe(1)
    await context.close()
  })

  test('every tag can be chosen, even if there are more than fit into one answer', async () => {
    const shop = await parley.workspace({ sandbox: true })
    await shop.post('/contacts', { phone: '+919812345601', displayName: 'Asha Rao', tags: ['aardvark'] })
    await shop.post('/contacts', { phone: '+919812345602', displayName: 'Vikram Shah', tags: ['zebra'] })
    for (let index = 0; index < 3; index++)
      await shop.post('/contacts', {
        phone: `+91981234570${index}`,
        displayName: `Customer ${index}`,
        tags: Array.from({ length: 40 }, (_, tagIndex) => `tag-${index}-${tagIndex}`),
      })
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    const context = await profileOf(browser, parley, session)
    const { page } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/contacts`)
    for (const [tag, name] of [
      ['aardvark', 'Asha Rao'],
      ['zebra', 'Vikram Shah'],
    ] as const) {
      await page.getByRole('combobox', { name: 'Tag' }).click()
      await page.getByRole('option', { name: tag, exact: true }).click()
      await page.waitForURL(new RegExp(`tag=${tag}$`))
      // Until the answer arrives, the previous rows are shown.
      const found = page.getByRole('table', { name: 'Contacts' }).getByRole('link')
      await expect.poll(() => found.count()).toBe(1)
      await found.and(page.getByRole('link', { name })).waitFor()
    }
    await context.close()
  })

  test('are added, tagged together, filtered, edited in place, made leads, and erased', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await shop.post('/contact-fields', { key: 'city', label: 'City', type: 'text' })
    for (const [phone, displayName] of [
      ['+919812345601', 'Asha Rao'],
      ['+919812345602', 'Vikram Shah'],
      ['+919812345603', 'Meera Iyer'],
    ])
      await shop.post('/contacts', { phone, displayName })
    await shop.inbound('+919812345601', 'Is the blue one in stock?')
    const contactOf = async (search: string) =>
      (await shop.get(`/contacts?search=${encodeURIComponent(search)}`)).body.contacts[0]
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    const context = await profileOf(browser, parley, session)
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/contacts`)
    const table = page.getByRole('table', { name: 'Contacts' })

    // A phone shows the number below the name: people may have the same name.
    const { width, height } = page.viewportSize()!
    await page.setViewportSize({ width: 390, height: 844 })
    await table.getByText('+919812345601').filter({ visible: true }).waitFor()
    await page.setViewportSize({ width, height })

    // Two of them get a tag; the filter finds them.
    await page.getByRole('checkbox', { name: 'Select Asha Rao' }).click()
    await page.getByRole('checkbox', { name: 'Select Meera Iyer' }).click()
    await page.getByText('2 contacts selected').waitFor()
    await page.getByRole('textbox', { name: 'Tag' }).fill('festival')
    await page.getByRole('button', { name: 'Add tag' }).click()
    await page.getByText('2 contacts changed').waitFor()
    await expect.poll(async () => (await contactOf('Meera')).tags).toEqual(['festival'])
    const toast = page.getByRole('dialog').filter({ hasText: '2 contacts changed' })
    await toast.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => (await contactOf('Meera')).tags).toEqual([])
    for (const name of ['Asha Rao', 'Meera Iyer'])
      await shop.patch(`/contacts/${(await contactOf(name)).id}`, { tags: ['festival'] })
    await page.reload()
    await page.getByRole('combobox', { name: 'Tag' }).click()
    await page.getByRole('option', { name: 'festival' }).click()
    await expect.poll(() => table.getByRole('row').count()).toBe(3)
    await page.getByRole('searchbox', { name: /Search/ }).fill('asha')
    await expect.poll(() => table.getByRole('row').count()).toBe(2)

    // A contact's page: the name, a field, and the consent are edited in place; the chat; a lead.
    await table.getByRole('link', { name: 'Asha Rao' }).click()
    await page.getByRole('heading', { name: 'Asha Rao' }).waitFor()
    await page.getByRole('textbox', { name: 'City' }).fill('Pune')
    await page.getByRole('textbox', { name: 'City' }).press('Enter')
    await expect.poll(async () => (await contactOf('Asha')).attributes).toEqual({ city: 'Pune' })
    await page.getByRole('combobox', { name: 'Consent' }).click()
    await page.getByRole('option', { name: 'Opted in' }).click()
    await expect.poll(async () => (await contactOf('Asha')).optInStatus).toBe('opted_in')
    await page.getByRole('combobox', { name: 'Language' }).click()
    await page.getByRole('option', { name: 'Español' }).click()
    await expect.poll(async () => (await contactOf('Asha')).language).toBe('es')
    await picture(page, 'contact-language')
    await page.getByRole('link', { name: 'Open chat' }).waitFor()
    await page.getByRole('button', { name: 'Add as lead' }).click()
    await page.getByRole('link', { name: 'Open the lead in New' }).waitFor()

    // Erasing asks for confirmation.
    await page.getByRole('button', { name: 'Delete contact' }).click()
    const dialog = page.getByRole('dialog').filter({ hasText: 'Delete Asha Rao?' })
    await dialog.getByRole('button', { name: 'Delete contact' }).click()
    await page.getByRole('heading', { name: 'Contacts' }).waitFor()
    await expect.poll(() => contactOf('Asha')).toBe(undefined)
    await table.getByRole('link', { name: 'Vikram Shah' }).waitFor()
    await expect.poll(() => table.getByRole('link', { name: 'Asha Rao' }).count()).toBe(0)

    // One is added by keyboard.
    await dialog.waitFor({ state: 'detached' })
    await page.keyboard.press('c')
    await page.getByRole('textbox', { name: 'Number' }).fill('+91 98123 45604')
    await page.getByRole('textbox', { name: 'Name' }).fill('Sana Khan')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Sana Khan' }).waitFor()
    expect(await contactOf('Sana')).toMatchObject({ e164: '+919812345604', displayName: 'Sana Khan' })
    expect(faults).toEqual([])
    await context.close()
  })

  test('two contacts of one customer are shown side by side and merged, by keyboard only and on a phone', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const [home, mobile] = ['+551132654321', '+5511987654321'] as const
    const contact = (
      await shop.post('/contacts', {
        phone: home,
        displayName: 'Ana Souza',
        tags: ['vip'],
        optInStatus: 'opted_in',
      })
    ).body.contact
    await shop.inbound(mobile, 'Oi, it is Ana')
    await shop.inbound(mobile, 'STOP')
    const wrote = (await shop.get(`/contacts/${mobile}`)).body.contact
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    const context = await profileOf(browser, parley, session)
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/contacts/${contact.id}`)
    await page.getByRole('button', { name: 'Merge with another contact' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Choose the other contact' }).waitFor()
    await page.keyboard.type(mobile.slice(1))
    await page.getByRole('option', { name: mobile }).waitFor()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Merge these contacts?' })
    // The contact that the customer messages from is kept unless the member chooses the other.
    const number = (phone: string) => dialog.getByRole('radio', { name: phone })
    await expect.poll(() => number(mobile).isChecked()).toBe(true)
    const after = dialog.getByRole('region', { name: 'After the merge' })
    await after.getByText('Opted out').waitFor()
    await after.getByText('Ana Souza').waitFor()
    await picture(page, 'contacts-merge')
    await page.setViewportSize({ width: 390, height: 844 })
    await picture(page, 'contacts-merge-phone')
    await number(mobile).focus()
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => number(home).isChecked()).toBe(true)
    await page.keyboard.press('ArrowDown')
    await dialog.getByRole('button', { name: 'Merge contacts' }).click()
    await page.getByText('Contacts merged').waitFor()
    await page.waitForURL(`**/contacts/${wrote.id}`)
    await page.getByRole('heading', { name: 'Ana Souza' }).waitFor()
    expect((await shop.get(`/contacts/${contact.id}`)).body.contact).toMatchObject({
      id: wrote.id,
      displayName: 'Ana Souza',
      optInStatus: 'opted_out',
      tags: ['vip'],
    })
    expect(faults).toEqual([])
    await context.close()
  })
})
