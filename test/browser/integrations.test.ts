/** The integrations of a workspace, and the orders of its shops. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { signIn } from '../support/sessions.ts'
import { type StandInShops, startShops, WOO_KEY, WOO_SECRET } from '../support/stand-in-shops.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { looked } from './page-problems.ts'

/** The browser's console message about an expected error answer. */
const REFUSED = /^Failed to load resource: the server responded with a status of 4\d\d/
const ASHA = '+919812345678'

describe.skipIf(!hasChromium)('integrations', () => {
  let shops: StandInShops
  let parley: TestParley
  let browser: Browser
  beforeAll(async () => {
    shops = await startShops()
    parley = await boot({ env: shops.env })
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
    await shops?.stop()
  })

  const open = async (shop: TestWorkspace, role: 'viewer' | 'agent' | 'admin') => {
    const session = await signIn(parley, shop, role)
    const context = await profileOf(browser, parley, session, { reducedMotion: 'reduce' })
    return { context, ...(await openPage(context)), path: `/w/${shop.workspaceId}/integrations` }
  }

  test('cash on delivery is set up for the simulated shop, and an order is confirmed on the phone', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await shop.inbound(ASHA, 'Is it in stock?', { name: 'Asha Rao' })
    const { context, page, faults, path } = await open(shop, 'admin')
    await page.goto(path)
    await page.getByText("A sandbox can't connect to real shops").waitFor()
    await page.getByText('No orders yet').waitFor()
    await page.getByRole('link', { name: 'Open simulated shop' }).click()
    await page.getByRole('heading', { name: 'Simulated shop' }).waitFor()

    await page.getByRole('switch', { name: 'Ask customers to confirm' }).click()
    const delay = page.getByLabel('Ask after (minutes)')
    await delay.fill('99999')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Must be a').waitFor()
    await delay.fill('0')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Simulated shop settings saved').waitFor()
    const { integration } = (await shop.get('/integrations/simulator')).body
    expect(integration.settings.cod).toMatchObject({ enabled: true, delayMinutes: 0, expireHours: 48 })
    expect(await looked(page, 'integration-simulator')).toEqual([])

    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'Simulate order' })
    await dialog.getByLabel('Order number').fill('#1001')
    await dialog.getByLabel("Customer's number").fill(ASHA)
    await dialog.getByRole('button', { name: 'Simulate order' }).click()
    await page.getByText('Order reported').waitFor()
    await dialog.waitFor({ state: 'detached' })
    const delivery = page
      .getByRole('table', { name: 'Recent deliveries' })
      .getByRole('row', { name: '#1001' })
    await delivery.getByText('Applied').waitFor()
    await delivery.getByText('orders/create').waitFor()
    expect(await looked(page, 'integration-deliveries')).toEqual([])
    await page.getByRole('link', { name: 'All integrations' }).click()
    const order = page.getByRole('table', { name: 'Orders' }).getByRole('row', { name: '#1001' })
    await order.getByText('Placed').waitFor()

    await shop.advance(5)
    await page.goto(`/w/${shop.workspaceId}/sandbox`)
    const phone = page.getByRole('region', { name: 'Phone of Asha Rao' })
    await phone.getByText('#1001').first().waitFor()
    await phone.getByRole('button', { name: /^Tap/ }).first().click()
    await shop.advance(5)
    await page.goto(path)
    await order.getByText('Confirmed', { exact: true }).waitFor()
    expect(await looked(page, 'integrations')).toEqual([])

    // The entries of real shops explain themselves, and offer no action that the server would reject.
    await page.getByRole('link', { name: /Shopify/ }).click()
    await page.getByRole('heading', { name: 'Set up Shopify' }).waitFor()
    expect(await page.getByRole('button', { name: 'Check and connect' }).count()).toBe(0)
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test('an own shop is connected: its address and its secret can be copied, and errors are shown at their field', async () => {
    const shop = await parley.workspace({ name: 'Blue Lotus' })
    const { context, page, faults, path } = await open(shop, 'admin')
    await page.goto(`${path}/shopify`)
    await page.getByText('read_orders, write_orders').waitFor()
    await page.getByLabel('Shop address').fill('asha.example.com')
    await page.getByLabel('Admin API access token').fill('shpat_0123456789')
    await page.getByRole('button', { name: 'Check and connect' }).click()
    await page.getByText('This field is required.').waitFor()
    await page.getByLabel('API secret key').fill('shpss_0123456789')
    await page.getByRole('button', { name: 'Check and connect' }).click()
    await page.getByText('Must be an address, such as asha.myshopify.com.').waitFor()
    expect(await looked(page, 'integration-shopify')).toEqual([])

    await page.goto(`${path}/orders`)
    await page.getByLabel('Shop name').fill('kiosk')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText("You won't see it again.").waitFor()
    await page.getByText('No deliveries yet').waitFor()
    const { integration } = (await shop.get('/integrations/orders')).body
    expect(integration).toMatchObject({ status: 'active', shopId: 'kiosk' })
    const codes = page.locator('code')
    expect(await codes.nth(0).textContent()).toBe(integration.intakeUrl)
    expect(`****${(await codes.nth(1).textContent())?.slice(-4)}`).toBe(integration.settings.secret)
    expect(await looked(page, 'integration-orders')).toEqual([])
    await page.reload()
    await page.getByText(`A secret that ends in ${integration.settings.secret.slice(-4)} is saved`).waitFor()
    expect(await codes.count()).toBe(1)

    await page.getByRole('button', { name: 'Disconnect' }).click()
    const dialog = page.getByRole('dialog', { name: 'Disconnect Custom shop?' })
    await dialog.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText('Custom shop is disconnected').waitFor()
    expect((await shop.get('/integrations/orders')).body.integration).toMatchObject({
      status: 'off',
      settings: {},
    })
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test("the shop's error about a key is shown at its field, and a valid key connects it", async () => {
    const shop = await parley.workspace({ name: 'Blue Lotus' })
    const { context, page, faults, path } = await open(shop, 'admin')
    await page.goto(`${path}/woocommerce`)
    await page.getByRole('heading', { name: 'Set up WooCommerce' }).waitFor()
    await page.getByLabel('Site address').fill(shops.url)
    await page.getByLabel('Consumer key').fill(WOO_KEY)
    const secret = page.getByLabel('Consumer secret')
    await secret.fill('cs_wrong000')
    await page.getByRole('button', { name: 'Check and connect' }).click()
    await page.getByText('The shop answered with status 401').waitFor()
    expect(await secret.getAttribute('aria-invalid')).toBe('true')
    expect((await shop.get('/integrations/woocommerce')).body.integration.status).toBe('off')

    await secret.fill(WOO_SECRET)
    await page.getByRole('button', { name: 'Check and connect' }).click()
    await page.getByText('WooCommerce is connected').waitFor()
    await page.getByText('Parley set this up in your shop.').waitFor()
    await page
      .getByText(`A secret that ends in ${WOO_SECRET.slice(-4)} is saved`)
      .first()
      .waitFor()
    expect(await secret.inputValue()).toBe('')
    expect(await page.getByRole('heading', { name: 'Set up WooCommerce' }).count()).toBe(0)
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test('a viewer can read but not change anything', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const { context, page, faults, path } = await open(shop, 'viewer')
    await page.goto(`${path}/simulator`)
    await page.getByText('You can view integrations.').waitFor()
    await page.getByRole('switch', { name: 'Ask customers to confirm', disabled: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Simulate order' }).count()).toBe(0)
    expect(faults).toEqual([])
    await context.close()
  })
})
