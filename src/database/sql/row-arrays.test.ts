/** PostgreSQL returns rows exactly as they were sent. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOwnDatabase } from '../../../test/support/own-database.ts'
import type { OpenDatabase } from '../database.ts'
import { rowArrays } from './row-arrays.ts'

let database: OpenDatabase
beforeAll(async () => {
  database = await openOwnDatabase()
})
afterAll(async () => {
  await database?.close()
})

const TYPES = {
  workspace_id: 'uuid',
  name: 'text',
  next_follow_up_at: 'timestamptz',
  deal_value: 'numeric(14,2)',
  rating: 'integer',
  blocked: 'boolean',
  tags: 'text[]',
  attributes: 'jsonb',
}
const { columns, rows, writtenBack, arraysOf } = rowArrays(TYPES, ['workspace_id', 'name'])

const roundTrip = (list: object[]): Promise<object[]> =>
  database.query(`select ${columns} from ${rows}`, arraysOf(list))

test('each column keeps its values, also empty values and those that need quoting', async () => {
  const full = {
    workspaceId: '0195e0a0-1234-7abc-8def-0123456789ab',
    name: 'Asha "Rao", {NULL}\\ नमस्ते',
    nextFollowUpAt: new Date('2026-02-28T12:34:56.789Z'),
    dealValue: 12_345.67,
    rating: 5,
    blocked: true,
    tags: ['', 'NULL', '{"a",b\\}', 'two words', '👋🏽'],
    attributes: { 'a "key"': [1, null, { deep: 'é' }] },
  }
  const empty = {
    workspaceId: '00000000-0000-0000-0000-000000000000',
    name: null,
    nextFollowUpAt: null,
    dealValue: 0,
    rating: 0,
    blocked: false,
    tags: [],
    attributes: {},
  }
  expect(await roundTrip([full, empty, full])).toEqual([full, empty, full])
  expect(await roundTrip([])).toEqual([])
})

test('an upsert writes back all but the fixed columns', () => {
  expect(writtenBack.split(', ')).toHaveLength(6)
  expect(writtenBack).not.toContain('workspace_id')
  expect(writtenBack).toContain('next_follow_up_at = excluded.next_follow_up_at')
})
