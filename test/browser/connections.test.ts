/** Connecting the payment gateway and the photo network on the page of integrations, and their tests. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { type PhotoNetwork, startPhotoNetwork } from '../support/photo-network.ts'
import { signIn } from '../support/sessions.ts'
import { type StandInGateway, startGateway } from '../support/stand-in-gateway.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { looked } from './page-problems.ts'

/** The browser's console message about an expected error answer. */
const REFUSED = /^Failed to load resource: the server responded with a status of 4\d\d/

describe.skipIf(!hasChromium)('connections', () => {
  let network: PhotoNetwork
  let gateway: StandInGateway
  let parley: TestParley
  let browser: Browser
  beforeAll(async () => {
    network = await startPhotoNetwork()
    gateway = await startGateway()
    parley = await boot({ env: { ...network.env, PARLEY_RAZORPAY_URL: gateway.apiUrl } })
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
    await gateway?.stop()
    await network?.close()
  })

  const open = async (shop: TestWorkspace, role: 'viewer' | 'agent' | 'admin') => {
    const context = await profileOf(browser, parley, await signIn(parley, shop, role), {
      reducedMotion: 'reduce',
    })
    return { context, ...(await openPage(context)), path: `/w/${shop.workspaceId}` }
  }

  test('the photo network: wrong token at its field, callback address and verify token to copy, test, disconnect', async () => {
    const shop = await parley.workspace({ name: 'Silk House' })
    await shop.set({ socialAddon: true })
    network.store.accounts.push({
      networkId: '17841000000777',
      username: 'silk_house',
      token: 'good-token-1',
    })
    const { context, page, faults, path } = await open(shop, 'admin')
    await page.goto(`${path}/social`)
    await page.getByRole('tab', { name: 'Insights' }).click()
    await page.getByText('Connect your account in Integrations.').waitFor()
    expect(await looked(page, 'social-not-connected')).toEqual([])
    await page.getByRole('link', { name: 'Open Integrations' }).click()
    await page.getByRole('heading', { name: 'Set up Photo network account' }).waitFor()

    await page.getByLabel('Account ID').fill('17841000000777')
    const token = page.getByLabel('Access token')
    await token.fill('wrong-token')
    await page.getByLabel('App secret').fill('app-secret-1')
    await page.getByRole('button', { name: 'Check and connect' }).click()
    await page.getByText('The photo network rejected it').waitFor()
    expect(await token.getAttribute('aria-invalid')).toBe('true')
    expect(await looked(page, 'connection-photo-error')).toEqual([])

    await token.fill('good-token-1')
    await page.getByRole('button', { name: 'Check and connect' }).click()
    await page.getByText('Photo network account is connected').waitFor()
    await page.getByText('Connected account: silk_house').waitFor()
    await page.getByText('Enter this verify token with the address.').waitFor()
    const codes = page.locator('code')
    expect(await codes.nth(0).textContent()).toBe(`${parley.config.siteUrl}/api/social/${shop.workspaceId}`)
    const verifyToken = (await codes.nth(1).textContent())!
    const handshake = await fetch(
      `${parley.url}/api/social/${shop.workspaceId}?hub.mode=subscribe&hub.challenge=77&hub.verify_token=${verifyToken}`,
    )
    expect(await handshake.text()).toBe('77')
    expect(await looked(page, 'connection-photo')).toEqual([])

    await page.getByRole('button', { name: 'Test connection' }).click()
    await page.getByText('The connection works.').waitFor()
    network.store.accounts.at(-1)!.token = 'replaced-token'
    await page.getByRole('button', { name: 'Test connection' }).click()
    await page.getByText("The connection doesn't work.").waitFor()
    await page.getByText('Needs attention').waitFor()
    expect(await looked(page, 'connection-photo-broken')).toEqual([])
    await token.fill('replaced-token')
    await page.getByRole('button', { name: 'Check and save' }).click()
    await page.getByText('Needs attention').waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Disconnect' }).click()
    const dialog = page.getByRole('dialog', { name: 'Disconnect Photo network account?' })
    await dialog.getByText('Existing chats, comments, and posts remain.').waitFor()
    await dialog.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText('Photo network account is disconnected').waitFor()
    expect((await shop.get('/integrations/photo')).body.integration.status).toBe('off')
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test('the payment gateway: test of the keys, and what happens to open payments before it is disconnected', async () => {
    const shop = await parley.workspace({ name: 'Silk House' })
    const connect = (keySecret: string) =>
      shop.connectGateway({
        provider: 'razorpay',
        keyId: 'rzp_test_shop',
        keySecret,
        webhookSecret: 'webhook secret',
      })
    await connect('key secret')
    const { context, page, faults, path } = await open(shop, 'admin')
    await page.goto(`${path}/integrations/razorpay`)
    await page.getByText('Currency: Indian rupees (INR)').waitFor()
    await page.getByText(`/api/gateway/${shop.workspaceId}`).waitFor()
    await page.getByRole('button', { name: 'Test connection' }).click()
    await page.getByText('The connection works.').waitFor()
    await connect('replaced')
    await page.getByRole('button', { name: 'Test connection' }).click()
    await page.getByText('The payment gateway rejected it').waitFor()
    expect(await looked(page, 'connection-razorpay')).toEqual([])

    await page.getByRole('button', { name: 'Disconnect' }).click()
    const dialog = page.getByRole('dialog', { name: 'Disconnect Razorpay?' })
    await dialog.getByText('No payment request is open.').waitFor()
    await dialog.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText('Razorpay is disconnected').waitFor()
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test('a sandbox says that its gateway is simulated, and that the photo network needs another workspace', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Silk House' })
    const { context, page, faults, path } = await open(shop, 'admin')
    await page.goto(`${path}/integrations`)
    await page
      .getByRole('link', { name: /Razorpay/ })
      .getByText('Simulated')
      .waitFor()
    expect(await looked(page, 'connections-sandbox')).toEqual([])
    await page.getByRole('link', { name: /Razorpay/ }).click()
    await page.getByText('This sandbox already has a simulated payment gateway.').waitFor()
    await page.goto(`${path}/integrations/photo`)
    await page.getByText("A sandbox can't connect to the photo network.").waitFor()
    expect(await page.getByRole('button', { name: 'Check and connect' }).count()).toBe(0)
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test('an agent sees who can connect the account, and changes nothing', async () => {
    const shop = await parley.workspace({ name: 'Silk House' })
    await shop.set({ socialAddon: true })
    const { context, page, faults, path } = await open(shop, 'agent')
    await page.goto(`${path}/integrations/photo`)
    await page.getByText('You can view integrations.').waitFor()
    expect(await page.getByRole('button', { name: 'Check and connect' }).count()).toBe(0)
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })
})
