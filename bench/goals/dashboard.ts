/** Measures the dashboard as people experience it: real pages of the real server in a real browser. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { hasChromium, launch } from '../../test/browser/chromium.ts'
import type { Arena } from '../ground/arena.ts'
import { CUSTOMERS, type Pages } from '../ground/pages.ts'
import { startService } from '../ground/service.ts'
import type { Figure } from '../report.ts'
import { makeInbox } from '../seeds/inbox.ts'
import { measureChats } from './dashboard-chats.ts'
import { measureFirstPages } from './dashboard-first-pages.ts'
import { measureTabs } from './dashboard-tabs.ts'
import type { Goal } from './goal.ts'

const ROOT = join(import.meta.dirname, '../..')
const CHATS = 10_000
const LOOK_AGAIN_MS = 50
/** Earlier messages of each customer, so that a chat has content to draw. */
const MESSAGES = 40

async function openPages(arena: Arena, browser: Browser): Promise<Pages> {
  const database = await arena.database('dashboard')
  const inbox = await makeInbox(database, arena.quick ? 1_000 : CHATS)
  const service = await startService(arena, database, { roles: 'web,worker', limiter: false })
  const address = `http://127.0.0.1:${service.port}`
  const first = await browser.newContext()
  const page = await first.newPage()
  await page.goto(`${address}${inbox.signInPath}`)
  // A returning member's browser has this flag.
  while (!(await page.evaluate<boolean>(`'parley.signedIn' in localStorage`))) await wait(LOOK_AGAIN_MS)
  const storageState = await first.storageState()
  await first.close()
  return {
    arena,
    inbox,
    address,
    profile: () =>
      browser.newContext({ baseURL: address, storageState, viewport: { width: 1440, height: 900 } }),
    write: async (customer, text) => {
      const answer = await fetch(`${address}/api/v1/sandbox/inbound`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${inbox.apiKey}`,
          'content-type': 'application/json',
          'idempotency-key': crypto.randomUUID(),
        },
        body: JSON.stringify({ from: `+91981234567${customer}`, name: CUSTOMERS[customer], text }),
      })
      if (!answer.ok) throw new Error(`the simulated customer was refused: ${await answer.text()}`)
    },
  }
}

export const measureDashboard: Goal = async (arena) => {
  if (!hasChromium)
    return {
      figures: [],
      skipped: 'there is no Chromium here; PARLEY_TEST_CHROMIUM says where its program is',
    }
  execFileSync(process.execPath, [join(ROOT, 'bin/build-pages.mjs')], { cwd: ROOT, stdio: 'inherit' })
  const browser = await launch()
  try {
    const pages = await openPages(arena, browser)
    for (let index = 0; index < MESSAGES; index++)
      for (const customer of CUSTOMERS.keys()) await pages.write(customer, `Earlier message ${index}`)
    const figures: Figure[] = []
    for (const measure of [measureFirstPages, measureChats, measureTabs])
      figures.push(...(await measure(pages)))
    return { figures }
  } finally {
    await browser.close()
  }
}
