import { expect, test } from 'vitest'
import { FRAME_COMMANDS } from './commands.ts'
import { PAGES } from './pages.ts'

test('every page has its own address, ID, and letter', () => {
  for (const values of [
    PAGES.map((page) => page.id),
    PAGES.map((page) => page.path),
    [
      ...PAGES.flatMap((page) => (page.go ? [`g ${page.go}`] : [])),
      ...FRAME_COMMANDS.flatMap((command) => command.keys ?? []),
    ],
  ])
    expect(values.filter((value, i) => values.indexOf(value) !== i)).toEqual([])
})
