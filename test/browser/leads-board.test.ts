/** The board as a place to work: the time in the stage, the order of the cards, and closing leads. */
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { signInByLink } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'

const DAY_S = 86_400

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
  beforeEach(async () => {
    shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
  })

  const PHONES = { Asha: '919812345601', Vikram: '919812345602', Meera: '919812345603' }
  const addLeads = async (more: Partial<Record<keyof typeof PHONES, object>> = {}) => {
    for (const [name, phone] of Object.entries(PHONES))
      await shop.post('/leads', { phone, name, ...more[name as keyof typeof PHONES] })
  }
  const openLeads = async (path = '', options: BrowserContextOptions = {}) => {
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    const context = await profileOf(browser, parley, session, options)
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/leads${path}`)
    return { context, page, faults }
  }
  const column = (page: Page, stage: string) => page.getByRole('region', { name: stage, exact: true })
  const card = (page: Page, name: string) => page.getByRole('article', { name })
  const namesIn = (within: Locator): Promise<(string | null)[]> =>
    within
      .getByRole('article')
      .evaluateAll((cards: { getAttribute: (name: string) => string | null }[]) =>
        cards.map((element) => element.getAttribute('aria-label')),
      )
  const stageOf = async (phone: string) => {
    const { lead } = (await shop.get(`/leads/${phone}`)).body
    return [lead.stage.name, lead.lostReason?.label ?? null]
  }

  test('a card, a row, and the page of a lead show for how long the lead is in its stage', async () => {
    await addLeads()
    await shop.advance(9 * DAY_S)
    await shop.patch(`/leads/${PHONES.Vikram}`, { stage: 'Contacted' })
    await shop.patch(`/leads/${PHONES.Meera}`, { stage: 'Won' })
    // The pages show times to the minute.
    await shop.advance(3 * DAY_S + 120)
    const { context, page, faults } = await openLeads()
    await card(page, 'Asha').getByText('In New for 12 days').waitFor()
    await card(page, 'Vikram').getByText('In Contacted for 3 days').waitFor()
    await card(page, 'Meera').getByText('Won 3 days ago').waitFor()

    // A move starts the time again.
    await card(page, 'Asha').dragTo(column(page, 'Contacted'))
    await column(page, 'Contacted').getByText('In Contacted for 1 minute').waitFor()
    // A click anywhere on a card opens the lead.
    await card(page, 'Vikram').click({ position: { x: 30, y: 40 } })
    await page.getByRole('heading', { name: 'Vikram', level: 1 }).waitFor()
    expect(await page.getByRole('link', { name: `+${PHONES.Vikram}` }).getAttribute('href')).toBe(
      `tel:+${PHONES.Vikram}`,
    )
    await page.getByText('In Contacted for 3 days').waitFor()

    await page.goto(`/w/${shop.workspaceId}/leads?layout=table`)
    const names = () => page.getByRole('table', { name: 'Leads' }).getByRole('link').allTextContents()
    const stay = page.getByRole('columnheader', { name: 'In stage' })
    await stay.getByRole('button').click()
    await expect.poll(names).toEqual(['Vikram', 'Meera', 'Asha'])
    expect(await stay.getAttribute('aria-sort')).toBe('descending')
    await stay.getByRole('button').click()
    await expect.poll(names).toEqual(['Asha', 'Meera', 'Vikram'])
    expect(await stay.getAttribute('aria-sort')).toBe('ascending')
    // A name begins with A, also at the first press.
    await page.getByRole('button', { name: 'Sort by Name' }).click()
    await expect.poll(names).toEqual(['Asha', 'Meera', 'Vikram'])
    await page.waitForURL(/sort=name&dir=asc/)
    expect(faults).toEqual([])
    await context.close()
  })

  test('the cards are sorted in every column, and the order and the layout are remembered for the member', async () => {
    await addLeads({
      Asha: { dealValue: 500 },
      Vikram: { dealValue: 900, nextFollowUpAt: '2030-01-02T10:00:00Z' },
      Meera: { dealValue: 100, nextFollowUpAt: '2030-01-01T10:00:00Z' },
    })
    await shop.advance(DAY_S)
    // Only the change of the stage counts for the time in the stage.
    await shop.patch(`/leads/${PHONES.Asha}`, { rating: 5 })
    const { context, page, faults } = await openLeads()
    const names = () => namesIn(column(page, 'New'))
    const sortBy = async (order: string) => {
      await page.getByRole('button', { name: 'Sort by' }).click()
      await page.getByRole('menuitemcheckbox', { name: order }).click()
      await page.getByRole('menu').waitFor({ state: 'detached' })
    }
    await expect.poll(names).toEqual(['Asha', 'Meera', 'Vikram'])
    await sortBy('Next follow-up')
    await expect.poll(names).toEqual(['Meera', 'Vikram', 'Asha'])
    await sortBy('Longest in stage')
    await expect.poll(names).toEqual(['Asha', 'Vikram', 'Meera'])
    await sortBy('Highest value')
    await expect.poll(names).toEqual(['Vikram', 'Asha', 'Meera'])

    // A change elsewhere, and a moved card, find their place in the order.
    await shop.patch(`/leads/${PHONES.Meera}`, { dealValue: 700 })
    await expect.poll(names).toEqual(['Vikram', 'Meera', 'Asha'])
    await shop.patch(`/leads/${PHONES.Asha}`, { stage: 'Contacted' })
    await column(page, 'Contacted').getByRole('article', { name: 'Asha' }).waitFor()
    await card(page, 'Vikram').dragTo(column(page, 'Contacted'))
    await expect.poll(() => namesIn(column(page, 'Contacted'))).toEqual(['Vikram', 'Asha'])
    const saved = page.waitForResponse(
      (response) => response.request().method() === 'PATCH' && response.url().endsWith('/preferences'),
    )
    await page.keyboard.press('v')
    await saved
    const { page: other, context: device } = await openLeads()
    await other.getByRole('table', { name: 'Leads' }).waitFor()
    await other.keyboard.press('v')
    await other.getByRole('button', { name: 'Sort by Highest value' }).waitFor()
    await expect.poll(() => namesIn(column(other, 'Contacted'))).toEqual(['Vikram', 'Asha'])
    await device.close()
    expect(faults).toEqual([])
    await context.close()
  })

  test('a lead is won or lost by a key, by its menu, and by a drag to the bottom of the board', async () => {
    await addLeads()
    // The columns of the closed stages are out of view.
    const { context, page, faults } = await openLeads('', { viewport: { width: 900, height: 700 } })
    await card(page, 'Asha').waitFor()
    await page.keyboard.press('j')
    await page.locator('article.border-accent').waitFor()
    const first = (await page
      .locator('article.border-accent')
      .getAttribute('aria-label')) as keyof typeof PHONES
    await page.keyboard.press('Shift+L')
    await page.getByRole('option', { name: 'Price' }).click()
    await expect.poll(() => stageOf(PHONES[first])).toEqual(['Lost', 'Price'])
    await page.keyboard.press('Shift+W')
    await expect.poll(() => stageOf(PHONES[first])).toEqual(['Won', null])

    const [second, third] = Object.keys(PHONES).filter((name) => name !== first) as (keyof typeof PHONES)[]
    const drop = async (name: string, stage: string) => {
      const box = (await card(page, name).boundingBox())!
      await page.mouse.move(box.x + 20, box.y + box.height - 8)
      await page.mouse.down()
      await page.mouse.move(box.x + 40, box.y + box.height + 10, { steps: 5 })
      const target = page.locator('[data-close]', { hasText: stage })
      await target.waitFor()
      const to = (await target.boundingBox())!
      await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 5 })
      await page.mouse.up()
      await page.locator('[data-close]').first().waitFor({ state: 'detached' })
    }
    await drop(second!, 'Lost')
    await page.getByRole('combobox', { name: `Why was ${second} lost?` }).waitFor()
    await page.getByRole('option', { name: 'Price' }).click()
    await expect.poll(() => stageOf(PHONES[second!])).toEqual(['Lost', 'Price'])
    await drop(third!, 'Won')
    await expect.poll(() => stageOf(PHONES[third!])).toEqual(['Won', null])

    const more = page.getByRole('button', { name: `More actions for ${third}` })
    await more.click()
    await page.getByRole('menuitem', { name: 'Mark as lost' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Mark as won' }).count()).toBe(0)
    await page.getByRole('menuitem', { name: 'Mark as lost' }).click()
    await page.getByRole('option', { name: 'Price' }).click()
    await expect.poll(() => stageOf(PHONES[third!])).toEqual(['Lost', 'Price'])

    // On the page of a lead, the keys do the same.
    await page.getByRole('link', { name: third! }).click()
    await page.getByRole('heading', { name: third!, level: 1 }).waitFor()
    await page.keyboard.press('Shift+W')
    await expect.poll(() => stageOf(PHONES[third!])).toEqual(['Won', null])
    expect(faults).toEqual([])
    await context.close()
  })

  test('the page of a lead leads back to the list with its filters, and the lead is selected there', async () => {
    await addLeads({ Asha: { rating: 5 }, Meera: { rating: 4 } })
    const { context, page, faults } = await openLeads()
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('combobox', { name: 'Minimum rating' }).click()
    await page.getByRole('option', { name: '4 stars' }).click()
    await page.keyboard.press('Escape')
    await expect.poll(() => namesIn(column(page, 'New'))).toEqual(['Meera', 'Asha'])
    await page.getByRole('link', { name: 'Asha' }).click()
    await page.getByRole('heading', { name: 'Asha', level: 1 }).waitFor()
    // The other leads of the list are one key away.
    expect(await page.getByRole('button', { name: 'Next lead' }).isDisabled()).toBe(true)
    await page.keyboard.press('k')
    await page.getByRole('heading', { name: 'Meera', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Next lead' }).click()
    await page.getByRole('heading', { name: 'Asha', level: 1 }).waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL(/leads\?filters=/)
    await expect.poll(() => namesIn(column(page, 'New'))).toEqual(['Meera', 'Asha'])
    await page.locator('article.border-accent', { hasText: 'Asha' }).waitFor()
    await page.keyboard.press('k')
    await page.locator('article.border-accent', { hasText: 'Meera' }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  test('the table fits a notebook and a phone, and a phone shows the details and the timeline as tabs', async () => {
    await addLeads({
      Asha: { owner: null, source: 'Wedding fair 2026', nextFollowUpAt: '2030-01-02T10:00:00Z' },
      Vikram: { dealValue: 1_250_000, name: 'Sanjay Patel & Sons Trading Company', rating: 5 },
    })
    const { context, page, faults } = await openLeads('?layout=table')
    const table = page.getByRole('table', { name: 'Leads' })
    const isWide = () =>
      table.evaluate(
        ({ parentElement }: { parentElement: { scrollWidth: number; clientWidth: number } }) =>
          parentElement.scrollWidth > parentElement.clientWidth,
      )
    for (const width of [1280, 1440, 1920, 1000, 390]) {
      await page.setViewportSize({ width, height: 800 })
      await table.waitFor()
      expect([width, await isWide()]).toEqual([width, false])
      // No cell breaks a name into lines. On a phone, a third line has the deal value and the follow-up.
      const { height } = (await table.getByRole('row').nth(1).boundingBox())!
      expect(height).toBeLessThan(width < 640 ? 90 : 60)
    }
    await table.getByRole('row', { name: /Asha/ }).getByRole('img', { name: 'Follow-up' }).waitFor()
    await table.getByText('Wed, Jan 2, 2030').filter({ visible: true }).waitFor()
    await table.getByText('In New for 1 minute').first().waitFor()
    await page.getByRole('link', { name: 'Asha' }).click()
    await page.getByRole('heading', { name: 'Asha', level: 1 }).waitFor()
    const note = page.getByRole('textbox', { name: 'Note' })
    await page.getByRole('textbox', { name: 'Email' }).waitFor()
    expect(await note.isVisible()).toBe(false)
    await page.getByRole('tab', { name: 'Timeline' }).click()
    await note.waitFor()
    expect(await page.getByRole('textbox', { name: 'Email' }).isVisible()).toBe(false)
    await page.getByRole('tab', { name: 'Details' }).click()
    await page.keyboard.press('n')
    await expect
      .poll(() =>
        note.evaluate(
          (field: { ownerDocument: { activeElement: unknown } }) =>
            field.ownerDocument.activeElement === field,
        ),
      )
      .toBe(true)
    expect(faults).toEqual([])
    await context.close()
  })

  test('a pipeline with several won stages asks for the stage', async () => {
    await shop.post('/pipeline/stages', { name: 'Repeat order', kind: 'won', color: '#10b981' })
    await addLeads()
    const { context, page, faults } = await openLeads()
    await card(page, 'Asha').waitFor()
    await page.getByRole('button', { name: 'More actions for Asha' }).click()
    await page.getByRole('menuitem', { name: 'Mark as won' }).click()
    await page.getByRole('option', { name: 'Won' }).waitFor()
    expect(await page.getByRole('option').allTextContents()).toHaveLength(2)
    await page.getByRole('option', { name: 'Repeat order' }).click()
    await expect.poll(() => stageOf(PHONES.Asha)).toEqual(['Repeat order', null])
    expect(faults).toEqual([])
    await context.close()
  })
})
