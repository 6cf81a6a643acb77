/** Screenshots of a test's pages: taken only if `PICTURES` names a folder for them. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'

/** Saves the current page as `<name>.png`. */
export async function picture(page: Page, name: string, { whole = false } = {}): Promise<void> {
  const folder = process.env.PICTURES
  if (folder)
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: whole, animations: 'disabled' })
}
