import { describe, expect, test } from 'vitest'
import { later, MINUTE_MS } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import type { ContactRow } from '../queries/contacts.ts'
import { judgeSenders, type Sender } from './judge-senders.ts'
import { beginContact } from './new-contact.ts'

const NOW = new Date('2026-06-01T09:30:00.000Z')
const ctx = { workspace: { id: 'shop' }, now: NOW } as Context
const ASHA = '+919812345678'
const RAVI = '+919812345679'

const sender = (report: Partial<Sender>): Sender => ({
  ctx,
  phone: null,
  userId: null,
  username: null,
  profileName: null,
  at: NOW,
  source: 'inbound_message',
  ...report,
})
const stored = (phone: string, userId: string | null = null): ContactRow => ({
  ...beginContact(ctx, phone, userId),
  lastSeenAt: later(NOW, -MINUTE_MS),
})

describe('the contacts of customers who write', () => {
  test('a batch creates one contact for a new customer', () => {
    const plan = judgeSenders([sender({ phone: ASHA }), sender({ phone: ASHA, profileName: 'Asha' })], [])
    expect([...plan.fresh.keys()]).toEqual([plan.ids[0]])
    expect(plan.ids[1]).toBe(plan.ids[0])
    expect(plan.rows.get(plan.ids[0]!)).toMatchObject({ phone: ASHA, profileName: 'Asha', lastSeenAt: NOW })
  })

  test('a known customer without news is only seen', () => {
    const asha = stored(ASHA)
    const plan = judgeSenders([sender({ phone: ASHA })], [asha])
    expect([[...plan.seen], [...plan.changed], plan.fresh.size]).toEqual([[asha.id], [], 0])
  })

  test('a user id moves to the number with which it arrives', () => {
    const [asha, hidden] = [stored(ASHA), stored('chan:IN.1', 'IN.1')]
    const plan = judgeSenders([sender({ phone: ASHA, userId: 'IN.1' })], [asha, hidden])
    expect([[...plan.changed], [...plan.withoutUserId.keys()]]).toEqual([[asha.id], [hidden.id]])
    expect(plan.duplicates).toEqual([{ ctx, keptId: asha.id, mergedId: hidden.id }])
  })

  test('a user id with another number is a new contact', () => {
    const asha = stored(ASHA, 'IN.1')
    const plan = judgeSenders([sender({ phone: RAVI, userId: 'IN.1' })], [asha])
    expect(plan.rows.get([...plan.fresh.keys()][0]!)).toMatchObject({ phone: RAVI, userId: 'IN.1' })
    expect([...plan.withoutUserId.keys()]).toEqual([asha.id])
    expect(plan.duplicates).toEqual([])
  })
})
