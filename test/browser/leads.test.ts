/** Journey 10: the board by mouse and by keyboard, its sums, and views. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { signInByLink } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'

describe.skipIf(!hasChromium)('the board of leads', () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  beforeAll(async () => {
    parley = await boot()
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  const column = (page: Page, stage: string) => page.locator('section[data-stage]', { hasText: stage })
  const card = (page: Page, name: string) => page.getByRole('article', { name })
  const readSums = async (page: Page, stage: string) => [
    await column(page, stage).locator('[data-count]').textContent(),
    await column(page, stage).locator('[data-sum]').textContent(),
  ]
  const stageOf = async (phone: string) => {
    const { lead } = (await shop.get(`/leads/${phone}`)).body
    return [lead.stage.name, lead.lostReason?.label ?? null]
  }

  test('leads are moved by mouse and by keyboard; sums follow, and leads that leave the view stay with Undo', async () => {
    shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    for (const [phone, name, dealValue, rating] of [
      ['919812345601', 'Asha Rao', 1000, 5],
      ['919812345602', 'Vikram Shah', 2500, 1],
      ['919812345603', 'Meera Iyer', 400, 4],
    ])
      await shop.post('/leads', { phone, name, dealValue, rating })
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    const context = await profileOf(browser, parley, session)
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/leads`)
    await card(page, 'Asha Rao').waitFor()
    await expect.poll(() => readSums(page, 'New')).toEqual(['3', '₹3,900'])

    // By mouse.
    await card(page, 'Asha Rao').dragTo(column(page, 'Contacted'))
    await column(page, 'Contacted').getByRole('article', { name: 'Asha Rao' }).waitFor()
    await expect.poll(() => readSums(page, 'Contacted')).toEqual(['1', '₹1,000'])
    await expect.poll(() => readSums(page, 'New')).toEqual(['2', '₹2,900'])
    await expect.poll(() => stageOf('919812345601')).toEqual(['Contacted', null])

    // By its menu: lost requires a reason; and back.
    await page.getByRole('button', { name: 'More actions for Vikram Shah' }).click()
    await page.getByRole('menuitem', { name: /Move to stage/ }).click()
    await page.getByRole('option', { name: 'Lost' }).click()
    await page.getByRole('option', { name: 'Price' }).click()
    await column(page, 'Lost').getByRole('article', { name: 'Vikram Shah' }).waitFor()
    await expect.poll(() => stageOf('919812345602')).toEqual(['Lost', 'Price'])
    await page.getByText('Moved to Lost').waitFor()
    const toast = page.getByRole('dialog').filter({ hasText: 'Moved to Lost' })
    await toast.getByRole('button', { name: 'Undo' }).click()
    await column(page, 'New').getByRole('article', { name: 'Vikram Shah' }).waitFor()
    await expect.poll(() => stageOf('919812345602')).toEqual(['New', null])

    // A view of open leads: a won lead leaves it, but stays visible until the view changes.
    await page.getByRole('combobox', { name: 'View' }).click()
    await page.getByRole('option', { name: 'Open' }).click()
    await page.waitForURL(/view=sys/)
    await page.getByRole('listbox').waitFor({ state: 'detached' })
    await card(page, 'Vikram Shah').waitFor()
    await page.keyboard.press('j')
    await page.locator('article.border-accent').waitFor()
    const moved = (await page.locator('article.border-accent').getAttribute('aria-label')) ?? ''
    await page.keyboard.press('s')
    await page.getByRole('combobox', { name: `Move ${moved} to` }).fill('won')
    await page.keyboard.press('Enter')
    await column(page, 'Won').getByText('Moved out of this list').waitFor()
    await expect.poll(() => readSums(page, 'Won')).toEqual(['0', '₹0'])
    await column(page, 'Won').getByRole('button', { name: 'Undo' }).click()
    await column(page, 'New').getByRole('article', { name: moved }).waitFor()
    await expect.poll(() => column(page, 'Won').getByRole('article').count()).toBe(0)

    // A filter is saved under a name.
    await page.goto(`/w/${shop.workspaceId}/leads`)
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('combobox', { name: 'Minimum rating' }).click()
    await page.getByRole('option', { name: '4 stars' }).click()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('article').count()).toBe(2)
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Promising')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(() => page.getByRole('combobox', { name: 'View' }).textContent()).toContain('Promising')
    await expect.poll(() => page.getByRole('article').count()).toBe(2)

    // The same leads as a table, searched.
    await page.getByRole('dialog', { name: 'Save view' }).waitFor({ state: 'detached' })
    await page.keyboard.press('v')
    await page.getByRole('table', { name: 'Leads' }).waitFor()
    await page.getByRole('searchbox', { name: /Search/ }).fill('meera')
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await page.getByRole('link', { name: 'Meera Iyer' }).click()

    // The page of the lead: a field edited in place, a note.
    await page.getByRole('heading', { name: 'Meera Iyer' }).waitFor()
    await page.getByRole('complementary').getByText('₹400', { exact: true }).waitFor()
    await page.getByRole('textbox', { name: 'Source' }).fill('Fair')
    await page.getByRole('textbox', { name: 'Source' }).press('Enter')
    await expect.poll(async () => (await shop.get('/leads/919812345603')).body.lead.source).toBe('Fair')
    await page.getByRole('textbox', { name: 'Note' }).fill('Wants it in blue')
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.getByRole('listitem').filter({ hasText: 'Wants it in blue' }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  const openLeads = async (path = '', options: BrowserContextOptions = {}) => {
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    const context = await profileOf(browser, parley, session, options)
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/leads${path}`)
    return { context, page, faults }
  }

  test('every stage fits on a wide screen; a column adds leads to its stage, and a card opens the chat', async () => {
    shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await shop.inbound('+919812345601', 'Is the blue one in stock?', { name: 'Asha Rao' })
    await shop.post('/leads', { phone: '919812345601', name: 'Asha Rao' })
    const { context, page, faults } = await openLeads('', { viewport: { width: 1680, height: 900 } })
    await card(page, 'Asha Rao').waitFor()
    const board = page.getByRole('region', { name: 'Leads by stage' })
    const isWide: boolean = await board.evaluate(
      (element: { scrollWidth: number; clientWidth: number }) => element.scrollWidth > element.clientWidth,
    )
    expect(isWide).toBe(false)

    await page.getByRole('button', { name: 'Add lead to Qualified' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add lead' })
    await dialog.getByLabel('Number').fill('+919812345602')
    expect(await dialog.getByRole('combobox', { name: 'Stage' }).textContent()).toBe('Qualified')
    await dialog.getByRole('button', { name: 'Add lead' }).click()
    await page.waitForURL(/\/leads\/[\w-]+$/)
    expect((await stageOf('919812345602'))[0]).toBe('Qualified')
    await page.goBack()
    await page.getByRole('button', { name: 'Add lead', exact: true }).click()
    expect(await dialog.getByRole('combobox', { name: 'Stage' }).textContent()).toBe('New')
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Open chat with Asha Rao' }).click()
    await page.waitForURL(/\/inbox\/[\w-]+$/)
    expect(faults).toEqual([])
    await context.close()
  })

  test('a column with many leads shows more of them as it scrolls', async () => {
    shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    for (let number = 0; number < 70; number++)
      await shop.post('/leads', { phone: `9198123460${String(number).padStart(2, '0')}` })
    const { context, page, faults } = await openLeads()
    const cards = column(page, 'New').getByRole('article')
    await cards.first().waitFor()
    expect(await cards.count()).toBeLessThan(70)
    await expect
      .poll(async () => {
        await cards.last().scrollIntoViewIfNeeded()
        return cards.count()
      })
      .toBe(70)
    await page.getByRole('button', { name: 'Load more' }).waitFor({ state: 'detached' })
    expect(faults).toEqual([])
    await context.close()
  })

  test('the filters that apply are named, and removed one by one', async () => {
    shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    for (const [phone, name, rating, source] of [
      ['919812345601', 'Asha Rao', 5, 'fair'],
      ['919812345602', 'Vikram Shah', 5, 'website'],
      ['919812345603', 'Meera Iyer', 1, 'fair'],
    ])
      await shop.post('/leads', { phone, name, rating, source })
    const { context, page, faults } = await openLeads()
    await card(page, 'Asha Rao').waitFor()
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('combobox', { name: 'Minimum rating' }).click()
    await page.getByRole('option', { name: '4 stars' }).click()
    await page.getByRole('textbox', { name: 'Source contains' }).fill('fair')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('article').count()).toBe(1)
    const filters = page.getByRole('list', { name: 'Filters' })
    await filters.getByRole('button', { name: 'Remove filter Minimum rating: 4 stars' }).click()
    await expect.poll(() => page.getByRole('article').count()).toBe(2)
    await filters.getByText('Source contains: fair').waitFor()
    await filters.getByRole('button', { name: 'Clear filters' }).click()
    await expect.poll(() => page.getByRole('article').count()).toBe(3)
    await filters.waitFor({ state: 'detached' })
    expect(faults).toEqual([])
    await context.close()
  })

  test('selected rows of the table are moved, assigned, and tagged together, with Undo', async () => {
    shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus', ownerName: 'Meera Iyer' })
    const phones = ['919812345601', '919812345602', '919812345603']
    for (const phone of phones) await shop.post('/leads', { phone, name: `Lead ${phone.slice(-1)}` })
    await shop.patch(`/leads/${phones[2]}`, { stage: 'Contacted', tags: ['silk'] })
    const { context, page, faults } = await openLeads('?layout=table')
    const bar = page.getByRole('toolbar', { name: 'Selected leads' })
    const selectAll = () => page.getByRole('checkbox', { name: 'Select all leads on this page' }).click()
    const leadsNow = () =>
      Promise.all(phones.map(async (phone) => (await shop.get(`/leads/${phone}`)).body.lead))
    await selectAll()
    await bar.getByText('3 leads selected').waitFor()
    await page.getByRole('checkbox', { name: 'Select Lead 1' }).click()
    await bar.getByText('2 leads selected').waitFor()

    await bar.getByRole('button', { name: 'Move to stage' }).click()
    await page.getByRole('menuitem', { name: 'Contacted' }).click()
    // One of them was in this stage.
    await page.getByText('1 lead changed').waitFor()
    const stages = async () => (await leadsNow()).map(({ stage }) => stage.name)
    expect(await stages()).toEqual(['New', 'Contacted', 'Contacted'])
    await bar.waitFor({ state: 'detached' })

    await selectAll()
    await bar.getByRole('button', { name: 'Move to stage' }).click()
    await page.getByRole('menuitem', { name: 'Price' }).click()
    await page.getByText('3 leads changed').waitFor()
    expect((await leadsNow()).map(({ lostReason }) => lostReason?.label)).toEqual(['Price', 'Price', 'Price'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(stages).toEqual(['New', 'Contacted', 'Contacted'])

    await selectAll()
    await bar.getByRole('button', { name: 'Change owner' }).click()
    await page.getByRole('menuitem', { name: 'Meera Iyer' }).click()
    await expect
      .poll(async () => (await leadsNow()).map(({ owner }) => owner?.name))
      .toEqual(['Meera Iyer', 'Meera Iyer', 'Meera Iyer'])
    await bar.waitFor({ state: 'detached' })

    await selectAll()
    await bar.getByRole('button', { name: 'Add tag' }).click()
    await page.getByRole('textbox', { name: 'Tag', exact: true }).fill('fair')
    await page.keyboard.press('Enter')
    await expect
      .poll(async () => (await leadsNow()).map(({ tags }) => tags))
      .toEqual([['fair'], ['fair'], ['silk', 'fair']])
    expect(faults).toEqual([])
    await context.close()
  })

  test('the page of a lead: a click on a stage moves it, lost needs a reason, and the records of the customer are there', async () => {
    shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await shop.inbound('+919812345601', 'Is the blue one in stock?', { name: 'Asha Rao' })
    const { lead } = (await shop.post('/leads', { phone: '919812345601', name: 'Asha Rao' })).body
    const { context, page, faults } = await openLeads(`/${lead.id}`)
    const stages = page.getByRole('list', { name: 'Stages' })
    await stages.getByRole('button', { name: 'Qualified' }).click()
    await stages.locator('[aria-current=step]').getByText('Qualified').waitFor()
    await expect.poll(() => stageOf('919812345601')).toEqual(['Qualified', null])
    await stages.getByRole('button', { name: 'Lost' }).click()
    await page.getByRole('option', { name: 'Price' }).click()
    await stages.locator('[aria-current=step]').getByText('Lost').waitFor()
    await expect.poll(() => stageOf('919812345601')).toEqual(['Lost', 'Price'])
    await page.getByRole('region', { name: 'Chats' }).getByRole('link').waitFor()
    await page.getByRole('complementary', { name: 'Details' }).getByRole('link', { name: 'Asha Rao' }).click()
    await page.waitForURL(new RegExp(`/contacts/${lead.contactId}$`))
    expect(faults).toEqual([])
    await context.close()
  })

  test('a lead whose answer was lost is created once', async () => {
    const shop = await parley.workspace({ sandbox: true })
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    const context = await profileOf(browser, parley, session)
    const { page } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/leads`)
    let lost = 0
    await page.route('**/api/v1/leads', async (route) => {
      if (route.request().method() !== 'POST' || lost++ > 0) return route.continue()
      // The request arrives, and the answer is lost.
      await route.fetch()
      await route.abort('connectionreset')
    })
    await page.getByRole('button', { name: 'Add lead' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add lead' })
    await dialog.getByLabel('Number').fill('+919812345605')
    await dialog.getByRole('button', { name: 'Add lead' }).click()
    await dialog.getByText("The server can't be reached.").waitFor()
    await dialog.getByRole('button', { name: 'Add lead' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await shop.get('/leads/919812345605')).body.lead.captureCount).toBe(1)
    await context.close()
  })

  test('an error about a lead is marked at its field, until the value is corrected or restored', async () => {
    const shop = await parley.workspace({ sandbox: true })
    const phone = '919812345603'
    const { lead } = (await shop.post('/leads', { phone, name: 'Meera Iyer', email: 'meera@example.com' }))
      .body
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    const context = await profileOf(browser, parley, session)
    const { page } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/leads/${lead.id}`)
    const email = page.getByRole('textbox', { name: 'Email' })
    const marked = email.and(page.locator('[aria-invalid=true]'))
    await email.fill('nobody')
    await email.press('Enter')
    await marked.waitFor()
    expect(await email.inputValue()).toBe('nobody')
    await email.press('Escape')
    await marked.waitFor({ state: 'detached' })
    expect(await email.inputValue()).toBe('meera@example.com')
    await email.fill('nobody@')
    await email.press('Enter')
    await marked.waitFor()
    await email.fill('nobody@example.com')
    await email.press('Enter')
    await expect
      .poll(async () => (await shop.get(`/leads/${phone}`)).body.lead.email)
      .toBe('nobody@example.com')
    await marked.waitFor({ state: 'detached' })
    await context.close()
  })
})
