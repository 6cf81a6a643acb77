/** A real browser for the tests of pages. Without one they are skipped, and counted as skipped. */
import { existsSync } from 'node:fs'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import type { TestParley } from '../support/boot.ts'
import type { Browser as Session } from '../support/sessions.ts'

/** The program itself: distributions' wrappers read machine settings and leave child processes. */
const PROGRAMS = [
  process.env.PARLEY_TEST_CHROMIUM,
  '/usr/lib/chromium/chromium',
  '/usr/lib/chromium-browser/chromium-browser',
  '/usr/lib64/chromium-browser/chromium-browser',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const program = PROGRAMS.find((path) => path !== undefined && existsSync(path))
export const hasChromium = program !== undefined

/**
 * Features that playwright turns off (only the last list counts), and the suggestions below the address bar:
 * two hidden internal pages that every window of the browser loads.
 */
const WITHOUT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
]

/** `args`: additional options. */
export const launch = (...args: string[]): Promise<Browser> =>
  chromium.launch({
    executablePath: program as string,
    args: [
      '--disable-dev-shm-usage',
      `--disable-features=${WITHOUT.join()}`,
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...args,
    ],
  })

/**
 * The browser's console message about an answer that pages retry: on a crowded machine the database is
 * sometimes busy.
 */
const BUSY = /^Failed to load resource: the server responded with a status of 503/

/** Unexpected reports of a page: console errors, exceptions, violations of its security policy. */
export type Watched = { page: Page; faults: string[] }

/**
 * Opens a new browser profile with the cookie of `session`. A service worker would answer requests that tests
 * watch; tests about it allow it.
 */
export async function profileOf(
  browser: Browser,
  parley: TestParley,
  session?: Session,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: parley.url,
    viewport: { width: 1440, height: 900 },
    serviceWorkers: 'block',
    ...options,
  })
  if (session) {
    const [name = '', value = ''] = session.cookie.split('=')
    await context.addCookies([{ name, value, url: parley.url, httpOnly: true, sameSite: 'Lax' }])
  }
  return context
}

/** Opens a tab whose errors are recorded. */
export async function openPage(context: BrowserContext): Promise<Watched> {
  const page = await context.newPage()
  page.setDefaultTimeout(Number(process.env.PAGE_TIMEOUT ?? 30_000))
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !BUSY.test(message.text())) faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  await page.addInitScript({
    content: `document.addEventListener('securitypolicyviolation', (event) =>
      console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI))`,
  })
  return { page, faults }
}
