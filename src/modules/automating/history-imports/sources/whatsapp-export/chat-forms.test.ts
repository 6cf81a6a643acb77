/** Exported chats of phones in many languages: each date and time is read as it was written. */
import { expect, test } from 'vitest'
import { momentOf } from './chat-items.ts'
import { dateOrderEvidence } from './date-order.ts'
import { messageStart } from './line-header.ts'

const LANGUAGES =
  'en-US en-IN es pt-BR fr de it nl pl ru uk tr ar ar-EG ar-SA he fa ur hi bn ta te mr gu kn ml pa or as ne si th vi id ms fil ja ko zh-CN zh-TW zh-HK my km lo sw am ha zu af sq hy az be bg bs ca hr cs da et fi gl ka el hu is kk ky lv lt mk mn nb ro sr sk sl sv uz'.split(
    ' ',
  )
const START = Date.UTC(2024, 1, 3, 0, 5, 9)
/** Three months, at all hours: the dates decide their order as in a chat of this length. */
const MOMENTS = Array.from({ length: 90 }, (_, day) => new Date(START + day * 86_400_000 + day * 3_600_000))
const MARK = '\u200e'

type Phone = { name: string; line(time: string): string; options: Intl.DateTimeFormatOptions }
const PHONES: Phone[] = [
  {
    name: 'a dash',
    line: (time) => `${time} - Asha Rao: Hello`,
    options: { dateStyle: 'short', timeStyle: 'short' },
  },
  {
    name: 'brackets',
    line: (time) => `${MARK}[${time}] Asha Rao: ${MARK}Hello`,
    options: { dateStyle: 'short', timeStyle: 'medium' },
  },
]

const readAll = (lines: string[]) => {
  const starts = lines.map((line) => messageStart(line))
  const evidence = dateOrderEvidence(2027)
  for (const start of starts) if (start) evidence.look(start.stamp)
  const order = evidence.decide()
  return starts.map((start, i) => {
    if (!start || !order) return `${lines[i]}: not read`
    expect(start.sender).toBe('Asha Rao')
    return momentOf(start.stamp, { order, timeZone: 'UTC' })?.toISOString() ?? `${lines[i]}: no date`
  })
}

test.each(
  PHONES.flatMap((phone) =>
    LANGUAGES.flatMap((language) =>
      [true, false].map((hour12) => ({ ...phone, language, hours: hour12 ? 12 : 24, hour12 })),
    ),
  ),
)('$language with $hours hours and $name', ({ language, hour12, line, options }) => {
  const format = new Intl.DateTimeFormat(language, { ...options, hour12, timeZone: 'UTC' })
  const seconds = 'timeStyle' in options && options.timeStyle === 'medium'
  const written = MOMENTS.map((moment) => format.format(moment))
  const expected = MOMENTS.map((moment) =>
    (seconds ? moment : new Date(moment.setUTCSeconds(0))).toISOString(),
  )
  expect(readAll(written.map(line))).toEqual(expected)
})

test.each([
  ['a Buddhist year', '13/5/2567 22:15', 'th'],
  ['a Persian year', '۱۴۰۳/۲/۲۴،‏ ۲۲:۱۵', 'fa'],
  ['an Islamic year', '١٤٤٥/١١/٥ ١٠:١٥ م', 'ar-SA'],
  ['a year of two digits first', '24. 5. 13. 오후 10:15', 'ko'],
  ['the time first', '22:15, 13/05/2024', 'vi'],
  ['a word between date and time', '13.5.2024 klo 22.15', 'fi'],
])('%s', (_, written) => {
  expect(readAll([`${written} - Asha Rao: Hello`])).toEqual(['2024-05-13T22:15:00.000Z'])
})

test('dates that fit several orders are not guessed', () => {
  const lines = ['03/04/24, 10:00', '04/05/24, 10:00', '05/06/24, 10:00']
  expect(readAll(lines.map((time) => `${time} - Asha Rao: Hello`))[0]).toContain('not read')
})

test('days in the order of a chat decide between day, month, and year', () => {
  const evidence = dateOrderEvidence(2027)
  for (const time of ['24/4/30', '24/5/1', '24/6/2', '25/1/1'])
    evidence.look(messageStart(`${time} 10:15 - Asha Rao: Hello`)!.stamp)
  expect(evidence.decide()).toBe('yearFirst')
})

test('a notice of the app with a colon is no writer', () => {
  const notice =
    '13/05/24, 22:15 - Your security code with Asha Rao changed. Tap to learn more about it: example'
  expect(messageStart(notice)).toMatchObject({ sender: undefined })
})
