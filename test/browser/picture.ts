/** Pictures for whoever wants to look at what a test comes by: taken only where `PICTURES` names a folder for them. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'

/** Leaves `<name>.png` of what the page shows now. */
export async function picture(page: Page, name: string, { whole = false } = {}): Promise<void> {
  const folder = process.env.PICTURES
  if (folder)
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: whole, animations: 'disabled' })
}
