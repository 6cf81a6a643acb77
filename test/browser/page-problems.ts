/** Screenshots of a page, and its problems. */
import type { Page } from 'playwright-core'
import { violationsOf } from './axe.ts'
import { picture } from './picture.ts'

const SCREEN = { width: 1440, height: 900 }
const PHONE = { width: 375, height: 812 }

/**
 * Returns axe's problems in light and dark mode, and whether the page scrolls sideways on a phone. Offers a
 * screenshot of each.
 */
export async function looked(page: Page, name: string): Promise<string[]> {
  const shot = (suffix: string) => picture(page, `${name}-${suffix}`)
  const violations = async (theme: string): Promise<string[]> =>
    (await violationsOf(page)).map(
      ({ id, nodes }) => `${name} ${theme}: ${id}: ${nodes[0]!.html.slice(0, 200)}`,
    )
  // Every page has a heading: without one, its code is still loading.
  await page.locator('h1').first().waitFor({ state: 'attached' })
  const found = await violations('light')
  await shot('wide')
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  found.push(...(await violations('dark')))
  await shot('dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(PHONE)
  await shot('phone')
  const overflow: number = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  await page.setViewportSize(SCREEN)
  return overflow > 0 ? [...found, `${name} scrolls sideways`] : found
}
