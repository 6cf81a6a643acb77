import { expect, test } from 'vitest'
import type { ListedConversation } from '../../sdk/api.ts'
import { steadyRows } from './use-steady-rows.ts'

const rowsOf = (ids: string): ListedConversation[] =>
  ids.split('').map((id) => ({ id }) as ListedConversation)
const render = (heldRows: string, fresh: string) => {
  const { rows, newer, goneIds } = steadyRows(rowsOf(heldRows), rowsOf(fresh))
  return [rows.map(({ id }) => id).join(''), newer, [...goneIds].join('')]
}

test('new rows at the top wait and are counted, and no row moves', () => {
  expect(render('ABC', 'XYABC')).toEqual(['ABC', 2, ''])
  expect(render('ABC', 'CABX')).toEqual(['ABCX', 1, ''])
})

test('removed rows stay until the rows may move', () => {
  expect(render('ABC', 'AC')).toEqual(['ABC', 0, 'B'])
})

test('a further page is added below, and rows that moved to it come with it', () => {
  expect(render('ABC', 'ABCDE')).toEqual(['ABCDE', 0, ''])
  expect(render('ABC', 'XAB')).toEqual(['AB', 1, ''])
  expect(render('AB', 'XABCD')).toEqual(['ABCD', 1, ''])
})
