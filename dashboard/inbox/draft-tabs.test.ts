import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Draft } from './draft-shape.ts'
import { type Copy, copyOf, hearVersion, withBoth, writeCopy } from './draft-tabs.ts'

/**
 * Two tabs over what a browser stores: all see writes in one order, each its own at once, and each hears of the other's later, as far
 * behind as it likes.
 */
function browser() {
  const log: Draft[] = []
  const empty: Draft = { text: '', mode: 'reply' }
  const tabs = ['one', 'two'].map((name) => ({ name, copy: copyOf(empty) as Copy, heard: 0, own: -1 }))
  type Tab = (typeof tabs)[number]
  /** What the tab finds stored: its own write as long as it has not heard up to it. */
  const stored = (tab: Tab): Draft => log[Math.max(tab.own, tab.heard - 1)] ?? empty
  const store = (tab: Tab, draft: Draft) => {
    tab.own = log.push(draft) - 1
  }
  const by = new Map<Draft, string>()
  const hear = (tab: Tab): boolean => {
    const version = log[tab.heard]
    if (!version) return false
    tab.heard++
    if (by.get(version) === tab.name) return true
    const heard = hearVersion(tab.copy, tab.name, version, stored(tab))
    tab.copy = heard.copy
    if (heard.store) {
      const draft = { ...heard.store }
      by.set(draft, tab.name)
      store(tab, draft)
    }
    return true
  }
  const write = (tab: Tab, text: string) => {
    tab.copy = writeCopy(tab.copy, tab.name, { ...tab.copy.draft, text })
    const draft = { ...tab.copy.draft }
    by.set(draft, tab.name)
    store(tab, draft)
  }
  const settle = () => {
    for (let turns = 0; ; turns++) {
      expect(turns).toBeLessThan(1_000)
      if (!tabs.map(hear).some(Boolean)) return
    }
  }
  return { tabs, hear, write, settle }
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const step = fc.record({
  tab: fc.integer({ min: 0, max: 1 }),
  does: fc.constantFrom('writes', 'writes', 'hears'),
  at: fc.integer(),
})

test('letters of two tabs that are written in at once are all there in the end, and both tabs show the same', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 26 }), (steps) => {
      const { tabs, hear, write, settle } = browser()
      const written: string[] = []
      for (const [index, { tab: at, does, at: place }] of steps.entries()) {
        const tab = tabs[at]!
        if (does === 'hears') {
          hear(tab)
          continue
        }
        const { text } = tab.copy.draft
        const cut = Math.abs(place) % (text.length + 1)
        written.push(LETTERS[index]!)
        write(tab, text.slice(0, cut) + LETTERS[index] + text.slice(cut))
      }
      settle()
      const [one, two] = tabs.map(({ copy }) => copy.draft)
      expect(two!.text).toBe(one!.text)
      const shown = `${one!.text}${one!.other?.text ?? ''}`
      for (const letter of written) expect(shown).toContain(letter)
      // Nothing is doubled.
      expect(new Set(one!.text).size).toBe(one!.text.length)
    }),
    { numRuns: 2_000 },
  )
})

test('the tab that is not written in takes over what the other writes, and goes on from it', () => {
  const { tabs, write, settle } = browser()
  const [one, two] = [tabs[0]!, tabs[1]!]
  write(one, 'Yes')
  settle()
  expect(two.copy.draft.text).toBe('Yes')
  write(two, 'Yes, in blue')
  settle()
  write(one, 'In blue')
  settle()
  expect(two.copy.draft).toMatchObject({ text: 'In blue' })
  expect(two.copy.draft.other).toBeUndefined()
})

test('where both changed the same words the last stands, and the other text beside it', () => {
  const { tabs, write, settle } = browser()
  const [one, two] = [tabs[0]!, tabs[1]!]
  write(one, 'Yes, we have')
  settle()
  write(one, 'No, sorry')
  write(two, 'Yes, a few')
  settle()
  for (const { copy } of tabs)
    expect(copy.draft).toMatchObject({ text: 'Yes, a few', other: { text: 'No, sorry' } })
})

test('letters added at two places are both kept; where something was taken away there is no such text', () => {
  expect(withBoth('Yes in blue', 'Yes, in blue', 'Yes in blue and red')).toBe('Yes, in blue and red')
  expect(withBoth('', 'one', 'two')).toBe('onetwo')
  expect(withBoth('Yes', 'Ye', 'Yes!')).toBeUndefined()
})
