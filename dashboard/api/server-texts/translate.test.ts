import { expect, test } from 'vitest'
import en from './en.json' with { type: 'json' }
import { translateError, translateMessage } from './translate.ts'

/** Without a browser the language of the pages is English: a known message is itself. */
test.each([
  'Must not be empty.',
  'Must be at most 200 characters.',
  'Must be at most 20 characters for text.',
  'Must be a whole number from 0 to 1440.',
  'Must be a whole number of minutes from 1 to 90.',
  'Must be one of image, carousel, reel.',
  'Must have exactly one video, uploaded with POST /social/media/upload, for the kind reel.',
])('a message of a field has a text, with its values: %s', (message) => {
  expect(translateMessage(message)).toBe(message)
})

test('an unknown message of a field stays', () => {
  expect(translateMessage('Must rhyme.')).toBeUndefined()
  const issues = [{ path: 'name', message: 'Must rhyme.' }]
  expect(translateError({ error: 'invalid', message: 'name: Must rhyme.', issues }).issues).toEqual(issues)
})

test('an error has the text of its code; other fields and unknown codes stay', () => {
  expect(translateError({ error: 'rate_limited', message: 'Slow down.', requestId: 'r1' })).toEqual({
    error: 'rate_limited',
    message: en['code.rate_limited'],
    requestId: 'r1',
  })
  const conflict = { error: 'conflict', message: 'The tag exists.' }
  expect(translateError(conflict)).toEqual(conflict)
})
