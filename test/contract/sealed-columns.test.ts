/**
 * All values that the secret key encrypts are in one list, which a start, `parley doctor`, and `parley
 * backup` use.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SEALED_COLUMNS } from '../../src/startup/sealed-secrets.ts'

const schema = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../src/database/expected-schema.json'), 'utf8'),
) as Record<string, string>

test('the list contains every column that is named as sealed, and no other', () => {
  const sealed = Object.entries(schema)
    .filter(([part, type]) => /^column \w+\.(\w+_)?sealed$/.test(part) && type.startsWith('bytea'))
    .map(([part]) => part.slice('column '.length))
  expect(Object.keys(SEALED_COLUMNS).sort()).toEqual(sealed.sort())
})
