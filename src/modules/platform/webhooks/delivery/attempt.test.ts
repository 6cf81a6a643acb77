import { expect, test } from 'vitest'
import { bodyOf, fixedHeaders } from './attempt.ts'

test('the body is the same bytes at every attempt (spec 6.1)', () => {
  const delivery = {
    eventId: 'e1',
    event: 'lead.created',
    createdAt: new Date('2026-03-10T10:00:00Z'),
    data: '{"b":1,"a":2}',
  }
  expect(bodyOf(delivery)).toBe(
    '{"id":"e1","event":"lead.created","createdAt":"2026-03-10T10:00:00.000Z","data":{"b":1,"a":2}}',
  )
})

test('the headers name the event and its id', () => {
  expect(fixedHeaders({ eventId: 'e1', event: 'lead.created' })).toMatchObject({
    'content-type': 'application/json',
    'x-webhook-id': 'e1',
    'webhook-id': 'e1',
    'x-webhook-event': 'lead.created',
  })
})
