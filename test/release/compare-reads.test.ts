/** The comparison of reads before and after an upgrade finds every lost or changed value. */
import { expect, test } from 'vitest'
import { compareReads } from '../support/release-data.ts'

const clock = 'sandbox /sandbox/clock'
const events = 'webhooks /webhooks/events'

test.each([
  ['an equal read', 'a /a', { rows: [{ id: 1, tags: ['x'] }] }, { rows: [{ id: 1, tags: ['x'] }] }, 0],
  ['a new field', 'a /a', { rows: [{ id: 1 }] }, { rows: [{ id: 1, color: 'red' }], next: null }, 0],
  ['a lost field', 'a /a', { rows: [{ id: 1, color: null }] }, { rows: [{ id: 1 }] }, 1],
  ['a changed value', 'a /a', { count: 1 }, { count: '1' }, 1],
  ['a value instead of null', 'a /a', { color: null }, { color: 'red' }, 1],
  ['null instead of an object', 'a /a', { contact: { id: 1 } }, { contact: null }, 1],
  ['a lost row', 'a /a', { rows: [1, 2] }, { rows: [1] }, 2],
  ['a new row', 'a /a', { rows: [1] }, { rows: [1, 2] }, 1],
  ['rows in another order', 'a /a', { rows: [1, 2] }, { rows: [2, 1] }, 2],
  ['a read that is gone', 'a /a', { count: 1 }, undefined, 1],
  ['a moved clock', clock, { now: '2026-01-01' }, { now: '2026-01-02' }, 0],
  ['a lost clock', clock, { now: '2026-01-01' }, {}, 1],
  ['a new event', events, { events: [{ name: 'a' }] }, { events: [{ name: 'b' }, { name: 'a' }] }, 0],
  ['a lost event', events, { events: [{ name: 'a' }] }, { events: [{ name: 'b' }] }, 1],
  [
    'a new operation',
    'openapi.json /openapi.json',
    { paths: { '/a': { get: {} } } },
    { paths: { '/a': { get: {}, post: {} } } },
    0,
  ],
  [
    'a lost operation',
    'openapi.json /openapi.json',
    { paths: { '/a': { get: {} } } },
    { paths: { '/a': { post: {} } } },
    1,
  ],
])('%s', (_, place, before, after, count) => {
  expect(compareReads(new Map([[place, before]]), new Map([[place, after]]))).toHaveLength(count)
})
