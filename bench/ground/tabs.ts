/** Tabs of a real browser that measure themselves: a measurement ends when its content has been painted. */
import type { BrowserContext, CDPSession, Page } from 'playwright-core'

/** Runs in every page before its own scripts. Measurements use the page's own clock and end after a paint. */
const MEASURES = `
  const painted = (done) => requestAnimationFrame(() => setTimeout(done))
  const whenThere = (find, done) => {
    const look = () => {
      if (!find()) return
      observer.disconnect()
      painted(done)
    }
    const observer = new MutationObserver(look)
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
    look()
  }
  window.measures = {
    sinceStart: (find) => new Promise((done) => whenThere(find, () => done(performance.now()))),
    sinceEpoch: (find) => new Promise((done) => whenThere(find, () => done(performance.timeOrigin + performance.now()))),
    sinceEvent: (type, find) => new Promise((done) => {
      addEventListener(type, ({ timeStamp }) => whenThere(find, () => done(performance.now() - timeStamp)), { capture: true, once: true })
    }),
    paintsAfter: (type) => {
      const all = []
      addEventListener(type, ({ timeStamp }) => painted(() => all.push(performance.now() - timeStamp)), { capture: true })
      return all
    },
    frames: () => {
      const all = []
      let last
      const next = (now) => {
        if (last !== undefined) all.push(now - last)
        last = now
        requestAnimationFrame(next)
      }
      requestAnimationFrame(next)
      return all
    },
  }`

const GIVE_UP_MS = 30_000

export async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.addInitScript({ content: MEASURES })
  return page
}

/** Slows a page down to a quarter of the processor and, with `line`, to 200 ms and 1.5 Mbit/s. */
export async function slowDown(page: Page, line: boolean): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  if (line) {
    const bytesPerSecond = 1_500_000 / 8
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 200,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: bytesPerSecond,
    })
  }
  return session
}

/** Makes the page evaluate the measuring `expression` while `work` runs. */
export async function measureDuring(
  page: Page,
  expression: string,
  work: () => Promise<unknown>,
): Promise<number> {
  await page.evaluate(`window.measured = measures.${expression}; undefined`)
  await work()
  const late = `new Promise((_, reject) => setTimeout(() => reject(new Error(${JSON.stringify(`it did not come: ${expression}`)})), ${GIVE_UP_MS}))`
  return page.evaluate<number>(`Promise.race([window.measured, ${late}])`)
}

/** Like `measureDuring`, for many figures, which the page collects until they are read. */
export async function collectDuring(
  page: Page,
  expression: string,
  work: () => Promise<unknown>,
): Promise<number[]> {
  await page.evaluate(`window.measured = measures.${expression}; undefined`)
  await work()
  return page.evaluate<number[]>('window.measured')
}
