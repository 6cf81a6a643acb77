/** What axe finds wrong with what a page shows. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Result } from 'axe-core'
import type { Page } from 'playwright-core'

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** By these rules alone where some are named. No page of ours has frames: axe runs in the page itself, once for each that is loaded. */
export async function violationsOf(page: Page, rules?: string[]): Promise<Result[]> {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(source)
  const options = {
    resultTypes: ['violations'],
    ...(rules ? { runOnly: { type: 'rule', values: rules } } : {}),
  }
  return page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  ) as Promise<Result[]>
}
