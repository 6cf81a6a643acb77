import { expect, test } from 'vitest'
import { mergeDraft } from './draft-merge.ts'
import type { Draft } from './draft-shape.ts'

const [EARLIER, LATER] = ['2026-11-23T05:00:00.000Z', '2026-11-23T05:00:01.000Z']
const localDraft = (text: string, more: Partial<Draft> = {}): Draft => ({
  text,
  mode: 'reply',
  files: [],
  ...more,
})
const savedDraft = (text: string, updatedAt = LATER) => ({
  text,
  mode: 'reply' as const,
  files: [],
  updatedAt,
})

test('a draft that another device saved is shown; if it contains the draft here, no other version is kept', () => {
  // An answer that arrived after that save stops the draft from being sent here.
  const since = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7000-8000-0{12}$/)
  expect(mergeDraft(localDraft(''), savedDraft('Hello'))).toMatchObject({
    text: 'Hello',
    savedAt: LATER,
    since,
  })
  const merged = mergeDraft(localDraft('Hello', { savedAt: EARLIER }), savedDraft('Hello, Asha'))
  expect(merged).toMatchObject({ text: 'Hello, Asha', savedAt: LATER })
  expect(merged?.other).toBeUndefined()
})

test('a draft saved here can be restored after another device saves a different text', () => {
  expect(mergeDraft(localDraft('Yes, we have', { savedAt: EARLIER }), savedDraft('Sorry, no'))).toMatchObject(
    {
      text: 'Sorry, no',
      other: { text: 'Yes, we have' },
    },
  )
})

test('unsaved text here stays, and the other version is kept next to it', () => {
  const writing = localDraft('Yes, we have', { savedAt: EARLIER, isDirty: true })
  expect(mergeDraft(writing, savedDraft('Sorry, no'))).toMatchObject({
    text: 'Yes, we have',
    isDirty: true,
    savedAt: LATER,
    other: { text: 'Sorry, no' },
  })
  expect(mergeDraft(writing, savedDraft('Yes'))?.other).toBeUndefined()
})

test('a version that is already known, or is older, changes nothing', () => {
  expect(mergeDraft(localDraft('Hello', { savedAt: LATER }), savedDraft('Old', EARLIER))).toBeUndefined()
  expect(mergeDraft(localDraft('Hello', { savedAt: LATER }), savedDraft('Hello'))).toBeUndefined()
  expect(mergeDraft(localDraft('Hello', { isDirty: true }), savedDraft('Hello'))).toMatchObject({
    isDirty: undefined,
  })
})

test('a draft that was sent or emptied elsewhere is removed; a draft that was never saved, or has newer text, stays', () => {
  expect(mergeDraft(localDraft('Hello', { savedAt: EARLIER }), null)).toMatchObject({
    text: '',
    savedAt: undefined,
    other: { text: 'Hello' },
  })
  expect(mergeDraft(localDraft('Hello'), null)).toBeUndefined()
  expect(mergeDraft(localDraft('Hello', { savedAt: EARLIER, isDirty: true }), null)).toBeUndefined()
})
