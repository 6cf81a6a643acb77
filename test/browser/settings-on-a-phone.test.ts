/** Settings on a phone: the way back and Save stay in view, and rows show everything without cut words. */
import type { Browser, Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { DASHBOARD, signIn } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

describe.skipIf(!hasChromium)('settings on a phone', () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  beforeAll(async () => {
    parley = await boot()
    shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  const open = async (section: string) => {
    const admin = await signIn(parley, shop, 'admin')
    const context = await profileOf(browser, parley, admin, PHONE)
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/settings/${section}`)
    return { admin, context, page, faults }
  }
  /** Returns whether the whole element is in the window, and nothing lies over it. */
  const isInView = (place: Locator): Promise<boolean> =>
    place.evaluate((element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect()
      const { document } = element.ownerDocument.defaultView as unknown as {
        document: {
          elementFromPoint: (x: number, y: number) => unknown
          documentElement: { clientHeight: number }
        }
      }
      const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
      return top >= 0 && bottom <= document.documentElement.clientHeight && element.contains(over as never)
    })

  test('a change at the top of a long form is saved without scrolling, and the way back stays in view', async () => {
    const { admin, context, page, faults } = await open('workspace')
    const save = page.getByRole('button', { name: 'Save' })
    const name = page.getByLabel('Name', { exact: true })
    await name.waitFor()
    expect(await isInView(save)).toBe(false)
    await name.fill('Blue Lotus Silks')
    await expect.poll(() => isInView(save)).toBe(true)
    await picture(page, 'settings-phone-save')
    await save.tap()
    await expect
      .poll(async () => (await admin.get(`${DASHBOARD}/workspace`)).body.workspace.name)
      .toBe('Blue Lotus Silks')

    await page.getByText('Accept leads from this link').scrollIntoViewIfNeeded()
    const back = page.getByRole('link', { name: 'All settings' })
    expect(await isInView(back)).toBe(true)
    await back.tap()
    await page.getByRole('navigation', { name: 'Sections' }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  test('a team, a macro, and a saved reply show their details below their names, and no word is split', async () => {
    await shop.post('/teams', { name: 'Wholesale and exports', assignment: 'round_robin' })
    await shop.post('/quick-replies', {
      shortcut: 'hours',
      text: 'We are open from 10 to 7, Monday to Saturday.',
    })
    const { context, page, faults } = await open('teams')
    const row = page.getByRole('row', { name: /Wholesale/ })
    await row.getByText('In turn').waitFor()
    const lines = await row
      .getByText('Wholesale and exports')
      .evaluate((text) => text.getClientRects().length)
    expect(lines).toBe(1)
    const [nameBox, wayBox] = [
      (await row.getByText('Wholesale and exports').boundingBox())!,
      (await row.getByText('In turn').boundingBox())!,
    ]
    expect(wayBox.y).toBeGreaterThanOrEqual(nameBox.y + nameBox.height - 1)
    expect(await row.getByRole('button').count()).toBe(2)
    await page.goto(`/w/${shop.workspaceId}/settings/replies`)
    const reply = page.getByRole('row', { name: /hours/ }).getByText('We are open from 10 to 7')
    expect(await reply.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0)
    expect(faults).toEqual([])
    await context.close()
  })
})
