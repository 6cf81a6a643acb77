import { expect, test } from 'vitest'
import { cellOf, isCellName, withCell } from './cell.ts'

test('an address names its cell, and keeps its other settings', () => {
  const address = 'postgres://u:p%40ss@db:5432/parley?sslmode=require&options=-c%20geqo%3Doff'
  expect(cellOf(address)).toBe('public')
  expect(withCell(address, 'public')).toBe(address)
  const inCell = withCell(address, 'c7')
  expect(inCell).toBe(
    'postgres://u:p%40ss@db:5432/parley?sslmode=require&options=-c%20geqo%3Doff%20-c%20search_path%3Dc7',
  )
  expect(cellOf(inCell)).toBe('c7')
  expect(cellOf(withCell(inCell, 'c8'))).toBe('c8')
  expect(withCell(withCell(inCell, 'c8'), 'public')).toBe(address)
})

test('an address with several hosts, or with the folder of a socket, can name a cell', () => {
  for (const address of [
    'postgres://u@db1:5432/parley?host=db1%2Cdb2&port=5432%2C5433',
    'postgres://u@/parley?host=%2Frun%2Fpostgresql',
    'postgres://db/parley',
  ]) {
    expect(cellOf(withCell(address, 'c7'))).toBe('c7')
    expect(withCell(withCell(address, 'c7'), 'public')).toBe(address)
  }
})

test('the name of a cell starts with a letter and has at most 31 lowercase letters and digits', () => {
  expect(['c7', 'a', 'public', `c${'7'.repeat(30)}`].filter(isCellName)).toHaveLength(4)
  expect(['', '7c', 'C7', 'c_7', 'c-7', 'pg', 'pg7', 'c7 ', `c${'7'.repeat(31)}`].filter(isCellName)).toEqual(
    [],
  )
})
