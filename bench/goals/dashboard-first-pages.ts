/** Measures the time from an empty cache to a usable page. */
import type { Pages } from '../ground/pages.ts'
import { median } from '../ground/statistics.ts'
import { openTab, slowDown } from '../ground/tabs.ts'
import type { Figure } from '../report.ts'

const READY = `() => document.querySelector('nav a[href*="/inbox/"]')`
const [HERE_MS, SLOW_LINE_MS] = [1_000, 3_000]

async function readyMs(pages: Pages, isSlow: boolean): Promise<number> {
  const context = await pages.profile()
  try {
    const page = await openTab(context)
    await page.addInitScript({ content: `window.ready = measures.sinceStart(${READY})` })
    if (isSlow) await slowDown(page, true)
    await page.goto(`/w/${pages.inbox.workspaceId}/inbox`, { waitUntil: 'commit' })
    return await page.evaluate<number>('window.ready')
  } finally {
    await context.close()
  }
}

async function figureOf(pages: Pages, isSlow: boolean): Promise<Figure> {
  const target = isSlow ? SLOW_LINE_MS : HERE_MS
  await readyMs(pages, isSlow)
  const rounds: number[] = []
  for (let round = 0; round < (pages.arena.quick ? 2 : 7); round++) rounds.push(await readyMs(pages, isSlow))
  const ours = median(rounds)
  return {
    goal: 'dashboard',
    what: isSlow ? 'inbox ready at a quarter processor, 200 ms, 1.5 Mbit/s' : 'inbox ready, nothing cached',
    ours,
    unit: 'ms',
    target: `<= ${target}`,
    met: ours <= target,
    rounds,
  }
}

export const measureFirstPages = async (pages: Pages): Promise<Figure[]> => [
  await figureOf(pages, false),
  await figureOf(pages, true),
]
