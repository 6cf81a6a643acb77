/** An admin connects an app: the page of its request, the choice of rights, and the way back to the app. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newApp, newRequest, postForm } from '../support/apps.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { signIn } from '../support/sessions.ts'
import { violationsOf } from './axe.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

describe.skipIf(!hasChromium)('an app that asks for access', () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  let app: Server
  let redirectUri: string
  let clientId: string

  beforeAll(async () => {
    parley = await boot()
    browser = await launch()
    app = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Back in the app</h1>')
    })
    await new Promise<void>((listening) => app.listen(0, '127.0.0.1', listening))
    redirectUri = `http://127.0.0.1:${(app.address() as AddressInfo).port}/callback`
    clientId = await newApp(parley.url, redirectUri, 'Desk helper')
  })
  beforeEach(async () => {
    shop = await parley.workspace({ sandbox: true })
  })
  afterAll(async () => {
    await browser?.close()
    app?.close()
    await parley?.close()
  })

  const requestOf = (more: Record<string, string> = {}) =>
    newRequest(clientId, { redirect_uri: redirectUri, ...more })
  const backInApp = async (page: Page): Promise<URLSearchParams> => {
    await page.getByRole('heading', { name: 'Back in the app' }).waitFor()
    return new URL(page.url()).searchParams
  }

  test('is allowed with chosen rights, gets its key, and is listed among the keys', async () => {
    const session = await signIn(parley, shop)
    const context = await profileOf(browser, parley, session)
    const { page, faults } = await openPage(context)
    const { query, verifier } = requestOf({ scope: 'contacts:read conversations:read', state: '123' })
    await page.goto(`/connect-app?${query}`)
    await page.getByRole('heading', { name: 'Connect Desk helper' }).waitFor()
    await page.getByText('The app chose this name itself.').waitFor()
    await page.getByText('The answer goes to a program on this machine.').waitFor()
    await page.getByRole('combobox', { name: 'The app can' }).click()
    await page.getByRole('option', { name: 'Read, send, and sell' }).click()
    await page.getByRole('checkbox', { name: 'conversations:read' }).click()
    await picture(page, 'connect-app')
    expect(await violationsOf(page)).toEqual([])
    expect(faults).toEqual([])
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    const answer = await backInApp(page)
    expect(answer.get('state')).toBe('123')
    const { body } = await postForm(`${parley.url}/oauth/token`, {
      grant_type: 'authorization_code',
      code: answer.get('code')!,
      client_id: clientId,
      code_verifier: verifier,
      redirect_uri: redirectUri,
    })
    expect(body.scope).toBe('contacts:read')
    expect((await shop.get('/contacts', { key: body.access_token })).status).toBe(200)
    await page.goto(`/w/${shop.workspaceId}/keys`)
    const row = page.getByRole('row', { name: /Desk helper/ })
    await row.getByText('Connected app').waitFor()
    await row.getByText(/^Until .*, if unused$/).waitFor()
    await row.getByText('Active', { exact: true }).waitFor()
    await picture(page, 'keys-app')
    await context.close()
  })

  test('waits for the sign-in, in a narrow dark page too, and learns that it was not allowed', async () => {
    const context = await profileOf(browser, parley, undefined, {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    })
    const { page } = await openPage(context)
    const address = `/connect-app?${requestOf().query}`
    await page.goto(address)
    await page.getByRole('heading', { name: 'Sign in to Parley' }).waitFor()
    expect(new URL(page.url()).searchParams.get('next')).toBe(address)
    const [name = '', value = ''] = (await signIn(parley, shop)).cookie.split('=')
    await context.addCookies([{ name, value, url: parley.url, httpOnly: true, sameSite: 'Lax' }])
    await page.goto(address)
    await page.getByRole('heading', { name: 'Connect Desk helper' }).waitFor()
    await picture(page, 'connect-app-phone', { whole: true })
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect((await backInApp(page)).get('error')).toBe('access_denied')
    await context.close()
  })

  test('is not connected by an agent, and an unknown address is never opened', async () => {
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'agent'))
    const { page } = await openPage(context)
    await page.goto(`/connect-app?${requestOf().query}`)
    await page.getByRole('heading', { name: 'Only an admin can connect an app' }).waitFor()
    await page.goto(`/connect-app?${requestOf({ redirect_uri: 'https://evil.example/' }).query}`)
    await page.getByRole('alert').filter({ hasText: "didn't register" }).waitFor()
    await picture(page, 'connect-app-refused')
    expect(page.url()).toContain(parley.url)
    await context.close()
  })
})
