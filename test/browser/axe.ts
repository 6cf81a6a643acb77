/** Returns the problems that axe finds on a page. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Result } from 'axe-core'
import type { Page } from 'playwright-core'

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/**
 * Runs only the given rules, if any. Our pages have no frames, so axe runs in the page itself, once for each
 * loaded page.
 */
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
