import { expect, test } from 'vitest'
import { SETTINGS, unknownSettings } from './settings.ts'

test('a misspelt setting is reported with the nearest name', () => {
  expect(unknownSettings({ PARLEY_SMTP: 'x', PARLEY_SITEURL: 'y', PARLEY_DATADIR_FILE: 'z' })).toEqual([
    "PARLEY_SMTP isn't a setting. Did you mean PARLEY_SMTP_URL?",
    "PARLEY_SITEURL isn't a setting. Did you mean PARLEY_SITE_URL?",
    "PARLEY_DATADIR_FILE isn't a setting. Did you mean PARLEY_DATA_DIR?",
  ])
  expect(unknownSettings({ PARLEY_FROBNICATE_EVERYTHING: '1' })).toEqual([
    "PARLEY_FROBNICATE_EVERYTHING isn't a setting.",
  ])
})

test('settings, their `_FILE` variants, and variables of other programs are not reported as misspelt', () => {
  const knownNames = Object.keys(SETTINGS).flatMap((name) => [name, `${name}_FILE`])
  const env = Object.fromEntries(
    [...knownNames, 'PARLEY_API_KEY', 'PARLEY_URL', 'PARLEY_TEST_CHROMIUM', 'PATH'].map((name) => [
      name,
      '1',
    ]),
  )
  expect(unknownSettings(env)).toEqual([])
})
