/** The guide "Connect a number in three clicks", from its first step to its last, on the simulated operator's pages. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  DEFAULT_APP_ID,
  DEFAULT_CONFIG_ID,
  type StandaloneSimulator,
  startStandaloneSimulator,
} from '../../src/operator/simulator/standalone/start.ts'
import { numberInGoodHealth } from '../../src/operator/simulator/store.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { freePort } from '../support/redis-server.ts'
import { signIn } from '../support/sessions.ts'
import { violationsOf } from './axe.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

const PHONE = { width: 390, height: 844 }

describe.skipIf(!hasChromium)('Connect with the operator', () => {
  let operator: StandaloneSimulator
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  beforeAll(async () => {
    operator = await startStandaloneSimulator({
      port: 0,
      host: '127.0.0.1',
      numbers: [],
      appSecret: '4f1d2c9be0a7',
    })
    const port = await freePort()
    parley = await boot({
      env: {
        PORT: String(port),
        PARLEY_SITE_URL: `http://127.0.0.1:${port}`,
        PARLEY_OPERATOR_URL: operator.url,
        PARLEY_OPERATOR_DIALOG_URL: operator.url,
        PARLEY_OPERATOR_APP_ID: DEFAULT_APP_ID,
        PARLEY_OPERATOR_APP_SECRET: '4f1d2c9be0a7',
        PARLEY_OPERATOR_CONFIG_ID: DEFAULT_CONFIG_ID,
      },
    })
    browser = await launch()
  })
  afterEach(() => operator.faults.clear())
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
    await operator?.close()
  })

  /** Opens the numbers of a new workspace. */
  async function openNumbers(options: object = {}) {
    shop = await parley.workspace({ name: 'Blue Lotus' })
    const context = await profileOf(browser, parley, await signIn(parley, shop), options)
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/settings/numbers`)
    await page.getByRole('button', { name: 'Connect with the operator' }).waitFor()
    return { page, context, faults }
  }

  /** Goes to the operator's page. */
  async function toOperator(page: Page, use = 'Only in Parley') {
    await page.getByRole('button', { name: 'Connect with the operator' }).click()
    await page.getByRole('dialog').getByRole('button', { name: use }).click()
    await page.getByRole('heading', { name: 'Simulated operator: connect your number' }).waitFor()
  }
  const answer = (page: Page, button: string) => page.getByRole('button', { name: button }).click()

  test('connects a number in three clicks', async () => {
    const { page, context, faults } = await openNumbers()
    await picture(page, 'signup-empty')
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Connect with the operator' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Only in Parley' }).waitFor()
    await picture(page, 'signup-start')
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Only in Parley' }).click()
    await page.getByLabel('Number', { exact: true }).fill('+15550100177')
    await picture(page, 'signup-operator')
    await answer(page, 'Continue')
    const dialog = page.getByRole('dialog', { name: 'Number connected' })
    await dialog.getByText('+15550100177 is connected').waitFor()
    await picture(page, 'signup-connected')
    expect(await violationsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('list').getByText('Asha Stores').waitFor()
    expect(new URL(page.url()).search).toBe('')
    expect(faults).toEqual([])
    await context.close()
  })

  test('keeps a number in the phone app, and gets its chats', async () => {
    const { page, context, faults } = await openNumbers({ viewport: PHONE, colorScheme: 'dark' })
    await toOperator(page, 'Also in the phone app')
    await answer(page, 'Continue')
    const dialog = page.getByRole('dialog', { name: 'Number connected' })
    await dialog.getByRole('button', { name: 'Get chats from the phone app' }).click()
    await page.getByText('Chats requested.').waitFor()
    await picture(page, 'signup-phone-app-390-dark')
    expect(await violationsOf(page)).toEqual([])
    expect(faults).toEqual([])
    await context.close()
  })

  test('asks which of several numbers, and for the PIN of a number that has one', async () => {
    const state = { ...numberInGoodHealth, status: 'PENDING' as const, verifiedName: 'Asha Stores' }
    for (const [operatorId, displayNumber] of [
      ['200100', '15550100101'],
      ['200101', '15550100102'],
    ] as const)
      operator.store.numbers.push({
        operatorId,
        accountId: '200000',
        token: `token-${operatorId}`,
        displayNumber,
        inPhoneApp: false,
        pin: '424242',
        state,
      })
    const { page, context, faults } = await openNumbers({ viewport: PHONE })
    await toOperator(page)
    await page.getByRole('radio', { name: /Account 200000/ }).check()
    await answer(page, 'Continue')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: '+15550100102' }).waitFor()
    await picture(page, 'signup-choose-390')
    expect(await violationsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: '+15550100102' }).click()
    const pin = dialog.getByLabel('Two-step PIN')
    await pin.fill('12')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByText('Must be 6 digits.').waitFor()
    await picture(page, 'signup-pin-390')
    expect(await violationsOf(page)).toEqual([])
    // The page offers to continue later.
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByText("+15550100102 isn't connected yet.").waitFor()
    await picture(page, 'signup-unfinished-390')
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Continue' }).click()
    await pin.fill('424242')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByText('+15550100102 is connected').waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  test('explains each other outcome, and how to go on', async () => {
    const { page, context, faults } = await openNumbers({ colorScheme: 'dark' })
    const dialog = page.getByRole('dialog')
    await toOperator(page)
    await answer(page, 'Cancel')
    await dialog.getByText("You left the operator's page. Nothing was connected.").waitFor()
    await picture(page, 'signup-cancelled-dark')
    expect(await violationsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Start again' }).click()
    await dialog.getByRole('button', { name: 'Only in Parley' }).click()
    await answer(page, 'Report an error')
    await dialog.getByText('The operator could not finish the signup. Try again later.').waitFor()
    await picture(page, 'signup-refused-dark')
    await dialog.getByRole('button', { name: 'Start again' }).click()
    await dialog.getByRole('button', { name: 'Only in Parley' }).click()
    operator.faults.arm({ call: 'POST subscribed_apps', does: { error: 10 }, times: 1 })
    await answer(page, 'Continue')
    await dialog.getByText('The operator rejected it.').waitFor()
    await picture(page, 'signup-paused-dark')
    expect(await violationsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await dialog.getByText('is connected').waitFor()
    await page.goto(`/w/${shop.workspaceId}/settings/numbers?signup=unknown`)
    await dialog.getByText('This answer has expired, or it belongs to another session.').waitFor()
    expect(faults).toEqual([])
    await context.close()
  })
})
