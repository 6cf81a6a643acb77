/** Each cause why an import leaves a record out has a text on the page, and an explanation in a guide. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import texts from '../../dashboard/settings/parts/move-in/en.json' with { type: 'json' }

const GUIDES = join(import.meta.dirname, '../../docs/guides')
/** Returns the names in the first column of a guide's table of causes. */
const causesIn = (guide: string): string[] => {
  const [, table = ''] = readFileSync(join(GUIDES, guide), 'utf8').split('\n| cause | meaning |\n')
  const [rows = ''] = table.split('\n\n')
  return [...rows.matchAll(/^\| (.*?) \|/gm)].flatMap(([, first]) =>
    [...first!.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
  )
}

test('the guides explain the causes that the page names', () => {
  const explained = new Set(['moving-in.md', 'from-chatwoot.md'].flatMap(causesIn))
  const named = Object.keys(texts).flatMap((key) =>
    key.startsWith('cause.') && key !== 'cause.other' ? [key.slice('cause.'.length)] : [],
  )
  expect([...explained].sort()).toEqual(named.sort())
})
