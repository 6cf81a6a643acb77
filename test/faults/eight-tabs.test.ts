/** Eight tabs of one browser while the service and its database die. */
import type { Browser, Page, Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSignInLink, signInPath } from '../../src/modules/platform/access/operations/sign-in-links.ts'
import { hasChromium, launch } from '../browser/chromium.ts'
import { type Client, clientOf } from '../support/boot.ts'
import { recordFigures, roundsOf, timeFor } from '../support/fault-run.ts'
import { newShop, openAdmin } from '../support/load.ts'
import { family, killAll } from '../support/process-family.ts'
import { type Installation, newInstallation, type ServerProcess } from '../support/server-process.ts'
import { until } from '../support/until.ts'

/** The text is in the chat or on its way by then; otherwise another tab's draft has replaced it. */
const SEEN_WITHIN_MS = 3_000
const PHONE = '+919812345678'

/** Makes a page report a chosen visibility, and report whether a text is in its chat or waits to be sent. */
const IN_EACH_PAGE = `
  let seen = 'visible'
  Object.defineProperty(document, 'visibilityState', { get: () => seen })
  Object.defineProperty(document, 'hidden', { get: () => seen !== 'visible' })
  globalThis.setSeen = (next) => {
    seen = next
    document.dispatchEvent(new Event('visibilitychange'))
  }
  globalThis.isOnItsWay = (words) =>
    Boolean(document.querySelector('[role=log]')?.textContent.includes(words)) ||
    Object.keys(localStorage).some((key) => key.startsWith('parley.outbox.') && localStorage[key].includes(words))`

const isLeaving = (request: Request): boolean =>
  request.url().endsWith('/presence') && request.postDataJSON()?.conversationId === null

type Tab = { page: Page; streams: () => number; requests: string[] }

describe.skipIf(!hasChromium)('eight tabs of one browser', () => {
  let installation: Installation
  let server: ServerProcess
  let browser: Browser
  let shop: Client & { workspaceId: string; ownerId: string }
  let chat: string
  beforeAll(async () => {
    installation = await newInstallation()
    browser = await launch()
  })
  // Created for every attempt, because a failed attempt may leave a stopped service and its drafts.
  beforeEach(async () => {
    server = await installation.start()
    const admin = openAdmin(installation.databaseUrl())
    const workspace = await newShop(admin, { sandbox: true })
    shop = { ...clientOf(server.url, workspace.apiKey), ...workspace }
    await admin.close()
    await shop.post('/sandbox/inbound', { from: PHONE, text: 'Hello', name: 'Asha Rao' })
    chat = await until(
      async () => (await shop.get('/conversations')).body.conversations[0]?.id,
      'the customer has written',
    )
  })
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
    await installation.end()
  })
  afterAll(async () => {
    await browser?.close()
    await installation?.remove()
  })

  async function openTabs(count: number): Promise<Tab[]> {
    // High enough to render every message.
    const context = await browser.newContext({
      baseURL: server.url,
      viewport: { width: 1000, height: 4_000 },
    })
    await context.addInitScript({ content: IN_EACH_PAGE })
    const admin = openAdmin(installation.databaseUrl())
    const link = await admin.system((tx) => createSignInLink(tx, shop.ownerId, new Date()))
    await admin.close()
    const tabs: Tab[] = []
    for (let index = 0; index < count; index++) {
      const page = await context.newPage()
      page.setDefaultTimeout(120_000)
      let streams = 0
      const requests: string[] = []
      page.on('request', (request) => {
        if (request.url().includes('/stream')) streams++
        // The first available tab sends a waiting message. If it sends late, it first checks whether a
        // teammate has answered.
        else if (request.url().includes('/api/') && !/\/send$|direction=outbound/.test(request.url()))
          requests.push(`${request.method()} ${request.url()}`)
      })
      if (index === 0) await page.goto(signInPath(link))
      await page.goto(`/w/${shop.workspaceId}/inbox/${chat}`)
      await page.getByRole('log').getByText('Hello').waitFor()
      await page.getByRole('textbox', { name: 'Message' }).waitFor()
      tabs.push({ page, streams: () => streams, requests })
    }
    return tabs
  }

  const shownIn = (page: Page): Promise<string[]> =>
    page.getByRole('log').locator('[data-message] p[dir=auto]').allTextContents()
  const listStored = async (): Promise<string[]> =>
    (await shop.get(`/messages?conversationId=${chat}&limit=100`)).body.messages.map(
      ({ text }: { text: string }) => text,
    )
  const setSeen = (tabs: Tab[], visibility: 'visible' | 'hidden') =>
    Promise.all(tabs.map(({ page }) => page.evaluate(`setSeen('${visibility}')`)))

  test(
    'the service and the database die under the tabs: one stream, nothing lost or doubled, all show the same, hidden tabs make no requests',
    async () => {
      const tabs = await openTabs(8)
      expect(tabs.filter(({ streams }) => streams() > 0)).toEqual([tabs[0]])
      // The tab with the stream is one of the hidden tabs.
      const hidden = tabs.filter((_, index) => index % 2 === 0)
      const visible = tabs.filter((_, index) => index % 2 === 1)
      // Their last request reports that they no longer view the chat.
      const left = hidden.map(({ page }) => page.waitForRequest(isLeaving))
      await setSeen(hidden, 'hidden')
      await Promise.all(left)
      for (const { requests } of hidden) requests.length = 0

      const written: string[] = []
      const write = async (moment: string) => {
        for (const [index, { page }] of visible.entries()) {
          const text = `Tab ${index}, ${moment}`
          const field = page.getByRole('textbox', { name: 'Message' })
          // All tabs share one member and so one draft: another tab's draft may replace the text before it is
          // sent.
          await until(async () => {
            await field.fill(text)
            await field.press('Enter')
            const isOnItsWay = () => page.evaluate<boolean>(`isOnItsWay(${JSON.stringify(text)})`)
            return until(isOnItsWay, 'the message is on its way', SEEN_WITHIN_MS).catch(() => false)
          }, 'the message is on its way')
          await page.getByRole('log').getByText(text, { exact: true }).first().waitFor()
          written.push(text)
        }
      }
      let kills = 0
      const recoveriesMs: number[] = []
      for (const round of roundsOf(1)) {
        await write(`before ${round}`)
        await server.end('SIGKILL')
        const killedAt = performance.now()
        await write(`without a service ${round}`)
        server = await installation.start()
        await write(`with the service back ${round}`)
        await until(
          async () => (await listStored()).length === written.length + 1,
          'all messages have arrived',
          150_000,
        )
        recoveriesMs.push(Math.round(performance.now() - killedAt))

        killAll(family(installation.postmaster() as number))
        const diedAt = performance.now()
        await write(`without a database ${round}`)
        await until(
          async () => {
            const { body, status } = await shop.get(`/messages?conversationId=${chat}&limit=100`)
            return status === 200 && body.messages.length === written.length + 1
          },
          'all messages have arrived',
          150_000,
        )
        recoveriesMs.push(Math.round(performance.now() - diedAt))
        kills += 2
      }
      const messages = await listStored()
      const expected = ['Hello', ...written].sort()
      expect([...messages].sort()).toEqual(expected)
      for (const { requests } of hidden) expect(requests).toEqual([])

      await setSeen(hidden, 'visible')
      for (const { page } of tabs) {
        await page.locator('[data-outbox]').first().waitFor({ state: 'detached' })
        await until(
          async () => JSON.stringify((await shownIn(page)).sort()) === JSON.stringify(expected),
          'the tab shows every message once',
          120_000,
        )
      }
      const orders = new Set(await Promise.all(tabs.map(async ({ page }) => (await shownIn(page)).join())))
      expect([...orders]).toHaveLength(1)
      // Each tab's messages were sent in the order in which they were written.
      const byTab = (index: number) =>
        messages.toReversed().filter((text) => text.startsWith(`Tab ${index},`))
      for (const index of visible.keys())
        expect(byTab(index)).toEqual(written.filter((text) => text.startsWith(`Tab ${index},`)))
      expect(tabs.filter(({ streams }) => streams() > 0)).toEqual([tabs[0]])
      recordFigures({
        rows: 'dashboard, journey 15',
        fault: 'kill -9 of the service and of the database under eight open tabs',
        rounds: kills / 2,
        kills,
        accepted: written.length,
        lost: written.filter((text) => !messages.includes(text)).length,
        doubled: messages.length - new Set(messages).size,
        recoveriesMs,
      })
    },
    timeFor(240_000),
  )
})
