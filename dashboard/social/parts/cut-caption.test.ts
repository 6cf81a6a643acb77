import { expect, test } from 'vitest'
import { captionName, cutCaption } from './cut-caption.ts'

test.each([
  ['a short caption is whole', 'The new silks are here.', undefined],
  ['two lines are whole', 'Silks\nat seven', undefined],
  ['the third line is cut', 'Silks\nat seven\n#handloom', 'Silks\nat seven'],
  ['a word stays whole', 'silk '.repeat(30), 'silk '.repeat(25).trimEnd()],
  ['one long word is cut', 'x'.repeat(200), 'x'.repeat(125)],
])('%s', (_, caption, start) => {
  expect(cutCaption(caption)).toBe(start)
})

test('the name of a post is one short line', () => {
  expect(captionName('Silks\n\nat seven')).toBe('Silks at seven')
  expect(captionName('silk '.repeat(30), 12)).toBe('silk silk si…')
})
