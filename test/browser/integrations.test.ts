/** What a workspace is connected to, and what becomes of the orders of its shops. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { signIn } from '../support/sessions.ts'
import { type StandInShops, startShops, WOO_KEY, WOO_SECRET } from '../support/stand-in-shops.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { looked } from './looked.ts'

/** What a browser notes about an answer that the page expects. */
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

  test('cash on delivery is set up for the simulated shop, an order is asked about, and answered on the phone', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await shop.inbound(ASHA, 'Is it in stock?', { name: 'Asha Rao' })
    const { context, page, faults, path } = await open(shop, 'admin')
    await page.goto(path)
    await page.getByText('A sandbox is connected to nothing real').waitFor()
    await page.getByText('No orders yet').waitFor()
    await page.getByRole('link', { name: 'Open the simulated shop' }).click()
    await page.getByRole('heading', { name: 'Simulated shop' }).waitFor()

    await page.getByRole('switch', { name: 'Ask whether the order is wanted' }).click()
    const delay = page.getByLabel('Minutes to wait')
    await delay.fill('99999')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Must be a').waitFor()
    await delay.fill('0')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The settings of the simulated shop are saved').waitFor()
    const { integration } = (await shop.get('/integrations/simulator')).body
    expect(integration.settings.cod).toMatchObject({ enabled: true, delayMinutes: 0, expireHours: 48 })
    expect(await looked(page, 'integration-simulator')).toEqual([])

    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'Report an order' })
    await dialog.getByLabel('Number of the order').fill('#1001')
    await dialog.getByLabel('Number of the customer').fill(ASHA)
    await dialog.getByRole('button', { name: 'Report an order' }).click()
    await page.getByText('The order was reported').waitFor()
    await dialog.waitFor({ state: 'detached' })
    const delivery = page.getByRole('table', { name: 'Last deliveries' }).getByRole('row', { name: '#1001' })
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
    await order.getByText('Wanted', { exact: true }).waitFor()
    expect(await looked(page, 'integrations')).toEqual([])

    // The names of real shops explain themselves, and offer nothing that would be refused.
    await page.getByRole('link', { name: /Shopify/ }).click()
    await page.getByRole('heading', { name: 'At Shopify' }).waitFor()
    expect(await page.getByRole('button', { name: 'Check and connect' }).count()).toBe(0)
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test('a shop of one’s own is connected: its address and its secret are shown to be copied, and what is wrong stands at its field', async () => {
    const shop = await parley.workspace({ name: 'Blue Lotus' })
    const { context, page, faults, path } = await open(shop, 'admin')
    await page.goto(`${path}/shopify`)
    await page.getByText('read_orders, write_orders').waitFor()
    await page.getByLabel('Address of the shop').fill('asha.example.com')
    await page.getByLabel('Admin API access token').fill('shpat_0123456789')
    await page.getByRole('button', { name: 'Check and connect' }).click()
    await page.getByText('Fill this in').waitFor()
    await page.getByLabel('API secret key').fill('shpss_0123456789')
    await page.getByRole('button', { name: 'Check and connect' }).click()
    await page.getByText('Must be an address, such as asha.myshopify.com.').waitFor()
    expect(await looked(page, 'integration-shopify')).toEqual([])

    await page.goto(`${path}/orders`)
    await page.getByLabel('Name of the shop').fill('kiosk')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText('It is shown this once').waitFor()
    await page.getByText('Nothing arrived yet').waitFor()
    const { integration } = (await shop.get('/integrations/orders')).body
    expect(integration).toMatchObject({ status: 'active', shopId: 'kiosk' })
    const codes = page.locator('code')
    expect(await codes.nth(0).textContent()).toBe(integration.intakeUrl)
    expect(`****${(await codes.nth(1).textContent())?.slice(-4)}`).toBe(integration.settings.secret)
    expect(await looked(page, 'integration-orders')).toEqual([])
    await page.reload()
    await page.getByText(`One that ends in ${integration.settings.secret.slice(-4)} is kept`).waitFor()
    expect(await codes.count()).toBe(1)

    await page.getByRole('button', { name: 'Disconnect' }).click()
    const asking = page.getByRole('dialog', { name: 'Disconnect A shop of your own?' })
    await asking.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText('A shop of your own is disconnected').waitFor()
    expect((await shop.get('/integrations/orders')).body.integration).toMatchObject({
      status: 'off',
      settings: {},
    })
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test('what the shop itself says of a key stands at its field, and a key that holds connects it', async () => {
    const shop = await parley.workspace({ name: 'Blue Lotus' })
    const { context, page, faults, path } = await open(shop, 'admin')
    await page.goto(`${path}/woocommerce`)
    await page.getByRole('heading', { name: 'At WooCommerce' }).waitFor()
    await page.getByLabel('Address of the site').fill(shops.url)
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
    await page.getByText('Parley has set this up in your shop.').waitFor()
    await page
      .getByText(`One that ends in ${WOO_SECRET.slice(-4)} is kept`)
      .first()
      .waitFor()
    expect(await secret.inputValue()).toBe('')
    expect(await page.getByRole('heading', { name: 'At WooCommerce' }).count()).toBe(0)
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test('a viewer reads, and can change nothing', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const { context, page, faults, path } = await open(shop, 'viewer')
    await page.goto(`${path}/simulator`)
    await page.getByText('You can read this. An admin connects').waitFor()
    await page.getByRole('switch', { name: 'Ask whether the order is wanted', disabled: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Report an order' }).count()).toBe(0)
    expect(faults).toEqual([])
    await context.close()
  })
})
