import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withModel } from './tables.ts'

const PAGE = join(import.meta.dirname, '../../docs/growing.md')

/** Writes the model into docs/growing.md, and returns the part of the page that has it. */
export function writeModel(): string {
  const page = withModel(readFileSync(PAGE, 'utf8'))
  writeFileSync(PAGE, page)
  return page.slice(page.indexOf('## How much a cell carries'))
}
