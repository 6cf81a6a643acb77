/** Measures work in the inbox: opening chats, writing, receiving, scrolling, and typing. */
import type { Page } from 'playwright-core'
import { customerName, type Pages } from '../ground/pages.ts'
import { median, p95 } from '../ground/statistics.ts'
import { collectDuring, measureDuring, openTab, slowDown } from '../ground/tabs.ts'
import type { Figure } from '../report.ts'

const ROUNDS = 40
const [WHEEL_TURNS, WHEEL_PX, WHEEL_MS] = [200, 240, 16]
const TYPED = 'The blue one is back in every size from Monday on, shall I keep one for you?'
const TYPING_MS = 60

const threadOf = (customer: number): string =>
  `[role=log][aria-label$=${JSON.stringify(customerName(customer))}]`
const hasText = (text: string): string =>
  `() => document.querySelector('[role=log]')?.textContent.includes(${JSON.stringify(text)})`

/** The 95th of 100 values counts; the median is in the notes. */
function figureOf(label: string, values: number[], max: number): Figure {
  const ours = p95(values)
  return {
    goal: 'dashboard',
    what: `${label}, p95`,
    ours,
    unit: 'ms',
    target: `< ${max}`,
    met: ours < max,
    notes: [`${label}: median ${median(values).toFixed(1)} ms of ${values.length}`],
  }
}

const rowOf = (page: Page, customer: number) =>
  page.getByRole('link', { name: new RegExp(customerName(customer)) }).first()

async function openChat(page: Page, customer: number): Promise<number> {
  const isThere = `() => document.querySelector('${threadOf(customer)} [data-message]')`
  return measureDuring(page, `sinceEvent('click', ${isThere})`, () => rowOf(page, customer).click())
}

async function measureRounds(
  pages: Pages,
  measureRound: (round: number) => Promise<number>,
): Promise<number[]> {
  const values: number[] = []
  for (let round = 0; round < (pages.arena.quick ? 5 : ROUNDS); round++)
    values.push(await measureRound(round))
  return values
}

/** Measures from the key press to the bubble. */
async function send(page: Page, round: number): Promise<number> {
  const text = `Answer ${round} of the benchmark`
  const field = page.getByRole('textbox', { name: 'Message' })
  await field.fill(text)
  return measureDuring(page, `sinceEvent('keydown', ${hasText(text)})`, () => field.press('Enter'))
}

/** Measures from the customer's message at the server to its bubble. */
async function receive(pages: Pages, page: Page, round: number): Promise<number> {
  const text = `Question ${round} of the benchmark`
  let startedMs = 0
  const shown = await measureDuring(page, `sinceEpoch(${hasText(text)})`, () => {
    startedMs = Date.now()
    return pages.write(0, text)
  })
  return shown - startedMs
}

async function scroll(page: Page, turns: number): Promise<number[]> {
  await page.getByRole('navigation', { name: 'Chats' }).hover()
  return collectDuring(page, 'frames()', async () => {
    for (let turn = 0; turn < turns; turn++) {
      await page.mouse.wheel(0, WHEEL_PX)
      await page.waitForTimeout(WHEEL_MS)
    }
  })
}

async function type(page: Page): Promise<number[]> {
  const field = page.getByRole('textbox', { name: 'Message' })
  await field.fill('')
  const slow = await slowDown(page, false)
  const values = await collectDuring(page, `paintsAfter('keydown')`, () =>
    field.pressSequentially(TYPED, { delay: TYPING_MS }),
  )
  await slow.detach()
  return values
}

export async function measureChats(pages: Pages): Promise<Figure[]> {
  const context = await pages.profile()
  try {
    const page = await openTab(context)
    await page.goto(`/w/${pages.inbox.workspaceId}/inbox`)
    for (const customer of [0, 1, 0]) await openChat(page, customer)
    const opened = await measureRounds(pages, (round) => openChat(page, (round + 1) % 2))
    await openChat(page, 0)
    const sent = await measureRounds(pages, (round) => send(page, round))
    const received = await measureRounds(pages, (round) => receive(pages, page, round))
    const typed = await type(page)
    const frames = await scroll(page, pages.arena.quick ? 40 : WHEEL_TURNS)
    return [
      figureOf('a chat that was open before, click to thread', opened, 100),
      figureOf('Enter to bubble', sent, 50),
      figureOf("a customer's message to the screen", received, 500),
      figureOf('frames while 10,000 chats scroll', frames, 20),
      figureOf('a key to its letter at a quarter processor', typed, 50),
    ]
  } finally {
    await context.close()
  }
}
