/**
 * Journey 2: a password, an authenticator app, signing in with both, and a session that is ended from another
 * device; then the settings.
 */
import { createHmac } from 'node:crypto'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSignInLink, signInPath } from '../../src/modules/platform/access/operations/sign-in-links.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { movingClock } from '../support/moving-clock.ts'
import { signInByLink } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'

const PASSWORD = 'a long enough phrase of the owner'
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const STEP_MS = 30_000

/** Returns the code that an authenticator app shows at `now` for its key. */
function codeOf(key: string, now: Date): string {
  const bits = Array.from(key, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(now.getTime() / STEP_MS)))
  const mac = createHmac('sha1', Buffer.from(bytes)).update(counter).digest()
  const offset = (mac[19] as number) & 15
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0')
}

describe.skipIf(!hasChromium)('the own profile and the settings', () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  const clock = movingClock()
  beforeAll(async () => {
    parley = await boot({ clock })
    browser = await launch()
  })
  // Created for every attempt, because the test changes the account and its settings.
  beforeEach(async () => {
    shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })
  const pathOf = (page: string): string => `/w/${shop.workspaceId}/${page}`
  async function owner(options: BrowserContextOptions = {}) {
    const session = await signInByLink(
      parley,
      { workspaceId: shop.workspaceId, memberId: shop.ownerId },
      clock.now(),
    )
    const context = await profileOf(browser, parley, session, options)
    return { context, session, ...(await openPage(context)) }
  }

  test('sets a password and an authenticator app, signs in with both, and ends another session', async () => {
    const { page, context, session, faults } = await owner()
    await page.goto(pathOf('profile'))
    const { account } = (await session.get('/api/dashboard/session')).body
    const email = account.email as string
    await page.getByLabel('New password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByRole('button', { name: 'Change password' }).waitFor()

    await page.getByRole('button', { name: 'Set up authenticator app' }).click()
    const setUp = page.getByRole('dialog', { name: 'Set up authenticator app' })
    const key = (await setUp.locator('code').textContent()) ?? ''
    await setUp.getByRole('textbox', { name: 'Code' }).fill('000000')
    await setUp.getByRole('button', { name: 'Turn on' }).click()
    await setUp.getByText('Must be the code that the app shows now.').waitFor()
    await setUp.getByRole('textbox', { name: 'Code' }).fill(codeOf(key, clock.now()))
    await setUp.getByRole('button', { name: 'Turn on' }).click()
    const codesDialog = page.getByRole('dialog', { name: 'Save your recovery codes' })
    await codesDialog.getByRole('listitem').nth(9).waitFor()
    await codesDialog.getByRole('button', { name: 'I saved them' }).click()
    await page.getByText('10 recovery codes are left').waitFor()
    expect(faults.splice(0).every((fault) => fault.includes('400'))).toBe(true)

    await page.getByRole('button', { name: /Account:/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    // A code works once: the app shows another code half a minute later.
    clock.aheadMs += 2 * STEP_MS
    await page.getByLabel('Code').fill(codeOf(key, clock.now()))
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Chats' }).waitFor({ state: 'attached' })

    // The same account on another device: signing it out from here leads its page to the sign-in.
    const otherDevice = await owner()
    await otherDevice.page.goto(pathOf('profile'))
    await otherDevice.page.getByRole('heading', { name: 'Profile' }).waitFor()
    await page.goto(pathOf('profile'))
    const table = page.getByRole('table', { name: 'Active sessions' })
    await table.getByRole('row').nth(2).waitFor()
    await table.getByRole('button', { name: /Sign out/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('Session signed out').waitFor()
    await otherDevice.page.getByText('Your session ended').waitFor()
    await expect.poll(async () => (await otherDevice.session.get('/api/dashboard/session')).status).toBe(401)
    await otherDevice.context.close()

    // After ten minutes it asks for a confirmation, and continues.
    clock.aheadMs += 11 * 60_000
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Asha the Owner')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: "Confirm it's you" })
    await dialog.getByLabel('Code').fill(codeOf(key, clock.now()))
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('Profile saved').waitFor()
    await context.close()
  })

  test('a member without password, code, or passkey signs in again by a link, and keeps the entered text', async () => {
    const { page, context, faults } = await owner()
    await page.goto(pathOf('profile'))
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await name.waitFor()
    clock.aheadMs += 11 * 60_000
    await name.fill('Asha the Owner')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: "Confirm it's you" })
    await dialog.getByText(`npm run parley -- sign-in --member ${shop.ownerId}`).waitFor()
    await dialog.getByRole('button', { name: 'I signed in again' }).click()
    await dialog.getByRole('alert').getByText("You haven't signed in again").waitFor()
    expect(faults.splice(0).every((fault) => fault.includes('403'))).toBe(true)

    const token = await parley.system((tx) => createSignInLink(tx, shop.ownerId, clock.now()))
    const other = await context.newPage()
    await other.goto(signInPath(token))
    await other.getByRole('heading', { name: 'First steps' }).waitFor()
    await dialog.getByRole('button', { name: 'I signed in again' }).click()
    await page.getByText('Profile saved').waitFor()
    expect(await name.inputValue()).toBe('Asha the Owner')
    expect(faults).toEqual([])
    await context.close()
  })

  test('a member without password, code, or passkey chooses a password in place, and keeps the entered text', async () => {
    const { page, context } = await owner()
    await page.goto(pathOf('profile'))
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await name.waitFor()
    clock.aheadMs += 11 * 60_000
    await name.fill('Asha of the shop')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: "Confirm it's you" })
    await dialog.getByLabel('New password').fill('five yellow kettles at noon')
    await dialog.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('Profile saved').waitFor()
    expect(await name.inputValue()).toBe('Asha of the shop')
    await parley.system((tx) => tx.sql('update accounts set password_hash = null'))
    await context.close()
  })

  test('a shortcut letter is changed to a free one, and the page, its tooltips, and the list of shortcuts use it', async () => {
    await shop.post('/contacts', { phone: '+919812345678', displayName: 'Asha Rao' })
    const { page, context, faults } = await owner()
    await page.goto(pathOf('profile'))
    await page.getByRole('combobox', { name: 'Page' }).click()
    await page.getByRole('option', { name: 'Contacts' }).click()
    const create = page.getByRole('button', { name: 'Change the key for Add contact (now C)' })
    await create.click()
    await page.keyboard.press('j')
    await page
      .getByRole('alert')
      .getByText(/^J is already .* on this page/)
      .waitFor()
    await page.keyboard.press('g')
    await page.getByRole('alert').getByText('G starts the shortcuts that open pages').waitFor()
    await page.keyboard.press('Control+b')
    await page.getByRole('alert').getByText('Press one key without').waitFor()
    await page.keyboard.press('b')
    await page.getByRole('button', { name: 'Change the key for Add contact (now B)' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)

    await page.goto(pathOf('contacts'))
    await page.getByRole('button', { name: 'Add contact' }).hover()
    await page.locator('.pop kbd').getByText('B', { exact: true }).waitFor()
    await page.keyboard.press('Shift+?')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await sheet
      .locator('div')
      .filter({ hasText: /^Add contactB$/ })
      .waitFor()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    await page.keyboard.press('c')
    await page.keyboard.press('b')
    await page.getByRole('dialog', { name: 'Add contact' }).waitFor()
    await page.keyboard.press('Escape')

    // On other devices the letter is unchanged; here it can be restored.
    await page.goto(pathOf('templates'))
    await page
      .getByRole('button', { name: /template/i })
      .first()
      .waitFor()
    await page.keyboard.press('c')
    await page.getByRole('heading', { name: 'New template' }).waitFor()
    await page.goto(pathOf('profile'))
    await page.getByRole('button', { name: 'Reset 1 key' }).click()
    await page.goto(pathOf('contacts'))
    await page.getByRole('button', { name: 'Add contact' }).waitFor()
    await page.keyboard.press('c')
    await page.getByRole('dialog', { name: 'Add contact' }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  test('the workspace is set up, and a simulated number is connected and disconnected', async () => {
    const { page, context } = await owner()
    await page.goto(pathOf('settings'))
    // The zone of the device is first; the search finds a zone by its city or its offset.
    const zone = page.getByRole('combobox', { name: 'Time zone' })
    await zone.press('ArrowDown')
    const zones = page.getByRole('dialog', { name: 'Time zone' })
    await zones.getByRole('group').first().getByText('This device').waitFor()
    const find = zones.getByRole('combobox', { name: 'Time zone' })
    await find.fill('atlantis')
    await zones.getByText('No time zone matches.').waitFor()
    await find.fill('GMT+05:45')
    await zones.getByRole('option', { name: /^Asia\/Kathmandu/ }).waitFor()
    await find.fill('new york')
    await find.press('Enter')
    await zones.waitFor({ state: 'detached' })
    await zone.getByText('America/New York').waitFor()
    expect(
      await zone.evaluate(
        (button: { ownerDocument: { activeElement: unknown } }) =>
          button.ownerDocument.activeElement === button,
      ),
    ).toBe(true)
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Red Lotus')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Settings saved').waitFor()
    expect((await shop.get('/me')).body.workspace).toMatchObject({
      name: 'Red Lotus',
      timezone: 'America/New_York',
    })

    await page.getByRole('link', { name: 'Numbers' }).click()
    await page.getByRole('button', { name: 'Connect number' }).click()
    const form = page.getByRole('dialog', { name: 'Connect number' })
    await form.getByLabel('Number').fill('+14155550177')
    await form.getByRole('button', { name: 'Connect' }).click()
    const dialog = page.getByRole('dialog', { name: '+14155550177 is connected' })
    await dialog.getByRole('button', { name: 'Check number' }).click()
    await dialog.getByRole('status').getByText('+14155550177 works').waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Actions for +14155550177' }).click()
    await page.getByRole('menuitem', { name: 'Disconnect' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
    await page.getByRole('list').getByText('It was disconnected in the dashboard.').waitFor()
    await context.close()
  })

  test('an empty limit is marked as missing, and the previous value stays in force', async () => {
    const { page, context } = await owner()
    await page.goto(pathOf('settings'))
    const coolOff = page.getByLabel('Campaign cool-off (days)')
    expect(await coolOff.inputValue()).toBe('7')
    await coolOff.fill('')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Must be a number.').waitFor()
    await page.reload()
    expect(await coolOff.inputValue()).toBe('7')
    await context.close()
  })

  test('leaving changed, unsaved settings asks for confirmation', async () => {
    await shop.set({ modules: ['invoicing', 'bookings', 'reviews'] })
    const { page, context, faults } = await owner()
    const question = page.getByRole('dialog', { name: 'Discard changes?' })
    for (const [section, label, text] of [
      ['sales', 'Legal name', 'Asha Traders'],
      ['ratings', 'Minutes to wait', '7'],
      ['ratings', 'Hours after an invoice is paid', '24'],
      ['bookings', 'Hold time for advance payments (minutes)', '20'],
    ] as const) {
      await page.goto(pathOf(`settings/${section}`))
      const field = page.getByLabel(label)
      await field.fill(text)
      await page.getByRole('link', { name: 'Contacts', exact: true }).click()
      await question.getByRole('button', { name: 'Cancel' }).click()
      await question.waitFor({ state: 'detached' })
      expect(await field.inputValue(), section).toBe(text)
      await page.getByRole('link', { name: 'Contacts', exact: true }).click()
      await question.getByRole('button', { name: 'Discard' }).click()
      await page.getByRole('heading', { name: 'Contacts' }).waitFor()
    }
    await page.goto(pathOf('settings/hours'))
    const zone = page.getByRole('combobox', { name: 'Time zone' })
    await zone.click()
    await page.getByRole('dialog', { name: 'Time zone' }).getByRole('combobox').fill('tokyo')
    await page.keyboard.press('Enter')
    await zone.getByText('Asia/Tokyo').waitFor()
    await page.getByRole('link', { name: 'Contacts', exact: true }).click()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await zone.getByText('Asia/Tokyo').waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  test('the settings are listed in groups, and on a phone the list leads to a section and back', async () => {
    const { page, context } = await owner({ viewport: { width: 390, height: 844 }, hasTouch: true })
    await page.goto(pathOf('settings'))
    const list = page.getByRole('navigation', { name: 'Sections' })
    await list
      .getByRole('list', { name: 'Team and security' })
      .getByRole('link', { name: 'Security' })
      .click()
    await page.waitForURL(/\/settings\/security$/)
    await list.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'All settings' }).click()
    await list.getByRole('link', { name: 'Tags' }).click()
    await page.getByRole('button', { name: 'Add tag' }).waitFor()
    await page.setViewportSize({ width: 1280, height: 800 })
    await list.locator('[aria-current="page"]').getByText('Tags').waitFor()
    await page.goto(pathOf('settings'))
    await list.locator('[aria-current="page"]').getByText('General').waitFor()
    await context.close()
  })

  test('lists are edited: a quick reply, a tag, a field, a stage, and a lost reason', async () => {
    const { page, context } = await owner()
    await page.goto(pathOf('settings/replies'))
    await addEntry(page, 'Add reply', { Shortcut: 'hours', Text: 'Open from 10 to 7.' })
    await page.getByRole('cell', { name: 'hours', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Tags' }).click()
    await addEntry(page, 'Add tag', { Name: 'regular' })
    await page.getByRole('button', { name: 'Remove regular' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No tags yet').waitFor()
    await page.getByRole('link', { name: 'Contact fields' }).click()
    await addEntry(page, 'Add field', { Label: 'Shirt size', Key: 'shirt_size' })
    await page.getByRole('cell', { name: 'Shirt size', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Pipeline' }).click()
    await addEntry(page, 'Add stage', { Name: 'On trial' })
    await addEntry(page, 'Add reason', { Name: 'Moved away' })
    await page.getByRole('button', { name: 'Move On trial up' }).click()
    await page.getByText('On trial moved').waitFor()
    const { stages, lostReasons } = (await shop.get('/pipeline')).body
    expect(stages.at(-2).name).toBe('On trial')
    expect(lostReasons.at(-1).label).toBe('Moved away')
    expect((await shop.get('/quick-replies')).body.quickReplies[0].text).toBe('Open from 10 to 7.')
    expect((await shop.get('/contact-fields')).body.contactFields[0].key).toBe('shirt_size')
    await context.close()
  })

  test('a stage is moved by keyboard: its arrow keeps the focus, or the other arrow gets it at the end of the list', async () => {
    const { page, context, faults } = await owner()
    await page.goto(pathOf('settings/pipeline'))
    const names = async () =>
      (await shop.get('/pipeline')).body.stages.map(({ name }: { name: string }) => name)
    /** Waits until the row is at `place` and the given arrow has the focus. */
    const expectMoved = async (name: string, place: number, arrow: string) => {
      await expect.poll(async () => (await names()).indexOf(name)).toBe(place)
      await page.getByRole('button', { name: arrow, exact: true }).and(page.locator(':focus')).waitFor()
    }
    const last = (await names()).length - 1
    await page.getByRole('button', { name: 'Move Proposal up', exact: true }).press('Enter')
    await expectMoved('Proposal', 2, 'Move Proposal up')
    await page.keyboard.press('Enter')
    await expectMoved('Proposal', 1, 'Move Proposal up')
    await page.getByRole('button', { name: 'Move Won down', exact: true }).press('Enter')
    await expectMoved('Won', last, 'Move Won up')
    expect(faults).toEqual([])
    await context.close()
  })
})

/** Fills in the form that the button opens. */
async function addEntry(page: Page, name: string, fields: Record<string, string>): Promise<void> {
  await page.getByRole('button', { name }).first().click()
  const form = page.getByRole('dialog', { name })
  for (const [label, value] of Object.entries(fields)) await form.getByLabel(label).fill(value)
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  await form.waitFor({ state: 'detached' })
}
