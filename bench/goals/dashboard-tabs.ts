/** Measures many tabs of one workspace: one of them has the stream, and all receive changes. */
import type { Page, Request } from 'playwright-core'
import { customerName, type Pages } from '../ground/pages.ts'
import { p95 } from '../ground/statistics.ts'
import { openTab } from '../ground/tabs.ts'
import type { Figure } from '../report.ts'

const TABS = 8
/** A customer without a stored draft, which would be shown instead of the last message. */
const CUSTOMER = 1

/** Tracks the open streams of `page`. */
function watchStreams(page: Page, open: Set<Request>): void {
  const isStream = (request: Request) => new URL(request.url()).pathname.endsWith('/stream')
  page.on('request', (request) => isStream(request) && open.add(request))
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
}

export async function measureTabs(pages: Pages): Promise<Figure[]> {
  const context = await pages.profile()
  try {
    const streams = new Set<Request>()
    const tabs: Page[] = []
    for (let tab = 0; tab < TABS; tab++) {
      const page = await openTab(context)
      watchStreams(page, streams)
      await page.goto(`/w/${pages.inbox.workspaceId}/inbox`)
      await page
        .getByRole('link', { name: new RegExp(customerName(CUSTOMER)) })
        .first()
        .waitFor()
      tabs.push(page)
    }
    const text = 'All tabs hear of this'
    const isShown = `() => document.querySelector('nav[aria-label="Chats"]').textContent.includes(${JSON.stringify(text)})`
    const shown = tabs.map((page) => page.evaluate<number>(`measures.sinceEpoch(${isShown})`))
    const startedMs = Date.now()
    await pages.write(CUSTOMER, text)
    const delays = (await Promise.all(shown)).map((shownMs) => shownMs - startedMs)
    return [
      {
        goal: 'dashboard',
        what: `streams that ${TABS} tabs hold`,
        ours: streams.size,
        unit: 'streams',
        target: '= 1',
        met: streams.size === 1,
        notes: [`a message is in all ${TABS} tabs after ${p95(delays).toFixed(0)} ms`],
      },
    ]
  } finally {
    await context.close()
  }
}
