import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Draft } from './draft-shape.ts'
import { type Copy, copyOf, mergeAdditions, receiveVersion, writeCopy } from './draft-tabs.ts'

/**
 * Simulates two tabs that share a browser's storage. All tabs see writes in one order. A tab sees its own
 * writes immediately and those of the other tab later, after any delay.
 */
function openTabs() {
  const log: Draft[] = []
  const empty: Draft = { text: '', mode: 'reply' }
  const tabs = ['one', 'two'].map((name) => ({ name, copy: copyOf(empty) as Copy, heard: 0, own: -1 }))
  type Tab = (typeof tabs)[number]
  /**
   * Returns the draft that the tab reads from storage: its own write until it has received that write's
   * event.
   */
  const storedDraft = (tab: Tab): Draft => log[Math.max(tab.own, tab.heard - 1)] ?? empty
  const store = (tab: Tab, draft: Draft) => {
    tab.own = log.push(draft) - 1
  }
  const by = new Map<Draft, string>()
  const receive = (tab: Tab): boolean => {
    const version = log[tab.heard]
    if (!version) return false
    tab.heard++
    if (by.get(version) === tab.name) return true
    const result = receiveVersion(tab.copy, tab.name, version, storedDraft(tab))
    tab.copy = result.copy
    if (result.store) {
      const draft = { ...result.store }
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
      if (!tabs.map(receive).some(Boolean)) return
    }
  }
  return { tabs, hear: receive, write, settle }
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const step = fc.record({
  tab: fc.integer({ min: 0, max: 1 }),
  does: fc.constantFrom('writes', 'writes', 'hears'),
  at: fc.integer(),
})

test('letters typed in two tabs at the same time are all there at the end, and both tabs show the same text', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 26 }), (steps) => {
      const { tabs, hear, write, settle } = openTabs()
      const typedLetters: string[] = []
      for (const [index, { tab: tabIndex, does, at: place }] of steps.entries()) {
        const tab = tabs[tabIndex]!
        if (does === 'hears') {
          hear(tab)
          continue
        }
        const { text } = tab.copy.draft
        const cut = Math.abs(place) % (text.length + 1)
        typedLetters.push(LETTERS[index]!)
        write(tab, text.slice(0, cut) + LETTERS[index] + text.slice(cut))
      }
      settle()
      const [first, second] = tabs.map(({ copy }) => copy.draft)
      expect(second!.text).toBe(first!.text)
      const shown = `${first!.text}${first!.other?.text ?? ''}`
      for (const letter of typedLetters) expect(shown).toContain(letter)
      // No letter appears twice.
      expect(new Set(first!.text).size).toBe(first!.text.length)
    }),
    { numRuns: 2_000 },
  )
})

test('a tab without edits shows the text of the other tab, and continues from it', () => {
  const { tabs, write, settle } = openTabs()
  const [first, second] = [tabs[0]!, tabs[1]!]
  write(first, 'Yes')
  settle()
  expect(second.copy.draft.text).toBe('Yes')
  write(second, 'Yes, in blue')
  settle()
  write(first, 'In blue')
  settle()
  expect(second.copy.draft).toMatchObject({ text: 'In blue' })
  expect(second.copy.draft.other).toBeUndefined()
})

test('if both tabs changed the same words, the last version is used and the other text is kept next to it', () => {
  const { tabs, write, settle } = openTabs()
  const [first, second] = [tabs[0]!, tabs[1]!]
  write(first, 'Yes, we have')
  settle()
  write(first, 'No, sorry')
  write(second, 'Yes, a few')
  settle()
  for (const { copy } of tabs)
    expect(copy.draft).toMatchObject({ text: 'Yes, a few', other: { text: 'No, sorry' } })
})

test('letters added in two places are both kept; if letters were deleted, the texts are not merged', () => {
  expect(mergeAdditions('Yes in blue', 'Yes, in blue', 'Yes in blue and red')).toBe('Yes, in blue and red')
  expect(mergeAdditions('', 'one', 'two')).toBe('onetwo')
  expect(mergeAdditions('Yes', 'Ye', 'Yes!')).toBeUndefined()
})
