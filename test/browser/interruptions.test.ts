/**
 * Journey 15: offline, asleep, behind the log, restarted, rebuilt: no written or received message is lost or
 * doubled.
 */
import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { signInByLink } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'

const BUILDS = join(import.meta.dirname, '../../dist/dashboard')
const PHONE = '+919812345678'

describe.skipIf(!hasChromium)('an inbox through interruptions', () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let pages: string
  let chat: string
  beforeAll(async () => {
    pages = await mkdtemp(join(tmpdir(), 'parley-pages-'))
    await cp(BUILDS, pages, { recursive: true })
    parley = await boot({ pages })
    shop = await parley.workspace({ sandbox: true })
    await shop.inbound(PHONE, 'Hello', { name: 'Asha Rao' })
    chat = (await shop.get('/conversations')).body.conversations[0].id
    browser = await launch()
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    context = await profileOf(browser, parley, session)
    page = (await openPage(context)).page
    await page.goto(`/w/${shop.workspaceId}/inbox/${chat}`)
    await thread().getByText('Hello').waitFor()
    await field().waitFor()
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
    await rm(pages, { recursive: true, force: true })
  })

  const thread = () => page.getByRole('log', { name: 'Messages with Asha Rao' })
  const field = () => page.getByRole('textbox', { name: 'Message' })
  const write = async (text: string) => {
    await field().fill(text)
    await field().press('Enter')
  }
  const listStored = async (): Promise<string[]> =>
    (await shop.get(`/messages?conversationId=${chat}&limit=100`)).body.messages
      .map(({ text }: { text: string }) => text)
      .reverse()
  /** Checks that the thread shows the server's messages, each once. */
  const expectOutcome = async (...last: string[]) => {
    for (const text of last) await thread().locator('[data-message]').filter({ hasText: text }).waitFor()
    await page.locator('[data-outbox]').first().waitFor({ state: 'detached' })
    const shown = await thread().locator('[data-message] p[dir=auto]').allTextContents()
    expect(shown).toEqual(await listStored())
  }

  /** The list next to it has the newest message. */
  const isListed = (text: string) =>
    page.getByRole('link', { name: new RegExp(`Asha Rao.*${text}`) }).waitFor()

  test('offline: missed messages are shown, written messages are sent once', async () => {
    await context.setOffline(true)
    await write('Written under way')
    await shop.inbound(PHONE, 'Are you there?')
    await context.setOffline(false)
    await expectOutcome('Are you there?', 'Written under way')
  })

  test('asleep: a frozen tab gets the missed messages when it continues', async () => {
    const devtools = await context.newCDPSession(page)
    await devtools.send('Page.setWebLifecycleState', { state: 'frozen' })
    await shop.inbound(PHONE, 'Good night')
    await devtools.send('Page.setWebLifecycleState', { state: 'active' })
    await expectOutcome('Good night')
    await isListed('Good night')
  })

  test('behind the log: events that the log no longer has are replaced by reading the data again', async () => {
    await context.setOffline(true)
    await page.getByText("You're offline.").waitFor()
    await shop.inbound(PHONE, 'Before the gap')
    await parley.system((tx) => tx.sql('delete from events where workspace_id = $1', [shop.workspaceId]))
    await context.setOffline(false)
    await expectOutcome('Before the gap')
    await shop.inbound(PHONE, 'After the gap')
    await expectOutcome('After the gap')
    await isListed('After the gap')
  })

  test('restarted: a message whose answer was lost in the restart is there once', async () => {
    let lost = 0
    await page.route('**/api/v1/send', async (route) => {
      if (lost++ > 0) return route.continue()
      // The request arrives, and the service stops before it answers.
      await route.fetch()
      await parley.restart()
      await route.abort('connectionreset')
    })
    await write('Across the restart')
    await expectOutcome('Across the restart')
    await shop.inbound(PHONE, 'After the restart')
    await expectOutcome('After the restart')
    expect((await listStored()).filter((text) => text === 'Across the restart')).toHaveLength(1)
    await page.unroute('**/api/v1/send')
  })

  test('rebuilt: a new version is offered, and unfinished texts survive it', async () => {
    await field().fill('Still being written')
    const state = JSON.parse(await readFile(join(pages, 'state.json'), 'utf8'))
    const next = state.hash.replace(/^../, state.hash.startsWith('ff') ? 'ee' : 'ff')
    await rename(join(pages, state.hash), join(pages, next))
    await writeFile(join(pages, 'state.json'), JSON.stringify({ ...state, hash: next }))
    await parley.restart()
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    // Opening a page loads the new version.
    await session.get(`${parley.url}/`)
    await shop.inbound(PHONE, 'Is it new?')
    await page.getByRole('button', { name: 'Reload' }).click()
    await expectOutcome('Is it new?')
    expect(await field().inputValue()).toBe('Still being written')
  })
})
