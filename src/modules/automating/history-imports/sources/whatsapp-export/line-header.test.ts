import { expect, test } from 'vitest'
import { messageStart } from './line-header.ts'

const at = (year: number, first: number, second: number, hour: number, minute: number, second60 = 0) => ({
  year,
  first,
  second,
  hour,
  minute,
  second60,
})

test.each([
  ['[31/12/2023, 22:15:03] Asha: hi', at(2023, 31, 12, 22, 15, 3)],
  ['\u200e[31/12/23, 10:15:03\u202fPM] Asha: hi', at(2023, 31, 12, 22, 15, 3)],
  ['[31.12.23, 22:15:03] Asha: hi', at(2023, 31, 12, 22, 15, 3)],
  ['[2023-12-31, 12:15:03 a.m.] Asha: hi', at(2023, 12, 31, 0, 15, 3)],
  ['31/12/23, 22:15 - Asha: hi', at(2023, 31, 12, 22, 15)],
  ['12/31/23, 10:15\u202fPM - Asha: hi', at(2023, 12, 31, 22, 15)],
  ['12/31/23, 12:15 AM - Asha: hi', at(2023, 12, 31, 0, 15)],
  ['31/12/23, 10:15 pm - Asha: hi', at(2023, 31, 12, 22, 15)],
  ['31/12/23 10:15 p. m. - Asha: hi', at(2023, 31, 12, 22, 15)],
  ['31/12/2023 22:15 - Asha: hi', at(2023, 31, 12, 22, 15)],
  ['31/12/2023 à 22:15 - Asha: hi', at(2023, 31, 12, 22, 15)],
  ['31.12.23, 22:15 – Asha: hi', at(2023, 31, 12, 22, 15)],
  ['31-12-2023 22.15 - Asha: hi', at(2023, 31, 12, 22, 15)],
  ['2023/12/31 下午10:15 - Asha: hi', at(2023, 12, 31, 22, 15)],
  ['2023/12/31, 22:15 - Asha: hi', at(2023, 12, 31, 22, 15)],
  ['31/12/23, 10:15 अपराह्न - Asha: hi', at(2023, 31, 12, 22, 15)],
  ['\u200f٣١/١٢/٢٠٢٣، ١٠:١٥ م - Asha: hi', at(2023, 31, 12, 22, 15)],
  ['[٣١/١٢/٢٠٢٣, ١٠:١٥:٠٣ ص] Asha: hi', at(2023, 31, 12, 10, 15, 3)],
])('%s begins a message', (line, stamp) => {
  expect(messageStart(line)).toMatchObject({ stamp, sender: 'Asha', text: 'hi' })
})

test.each([
  'hi',
  '',
  '1/2/3',
  'See you on 31/12/23, 22:15 - at the shop',
  '99/99/23, 22:15 - Asha: hi',
  '31/12/23, 22:75 - Asha: hi',
  '31/12/23',
])('%j continues a message', (line) => {
  expect(messageStart(line)).toBeUndefined()
})

test('a line without a writer is a line of the app', () => {
  expect(messageStart('31/12/23, 22:15 - +91 98123 45678 changed their phone number')).toMatchObject({
    sender: undefined,
  })
})

test('the text keeps colons, and the writer may be a number with marks', () => {
  expect(messageStart('31/12/23, 22:15 - \u202a+91 98123 45678\u202c: at 10:30: yes')).toMatchObject({
    sender: '+91 98123 45678',
    text: 'at 10:30: yes',
  })
  expect(messageStart('31/12/23, 22:15 - Asha:')).toMatchObject({ sender: 'Asha', text: '' })
})

test('a line of any length is read in a moment', () => {
  for (const line of [
    `[${'1/'.repeat(50_000)}`,
    `31/12/23${' '.repeat(100_000)}`,
    `31/12/23, 22:15 - ${'a:'.repeat(50_000)}`,
  ]) {
    const startMs = performance.now()
    messageStart(line)
    expect(performance.now() - startMs).toBeLessThan(1_000)
  }
})
