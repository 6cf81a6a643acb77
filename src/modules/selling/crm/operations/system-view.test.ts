import { expect, test } from 'vitest'
import {
  CONTACTED,
  FORMER,
  LEAD_WORDS,
  LOST,
  MEERA,
  NEW,
  NOW,
  RAVI,
  WON,
} from '../../../../../test/support/lead-rows.ts'
import { SYSTEM_VIEWS, type SystemView } from '../lead-list-schema.ts'
import { systemView } from './system-view.ts'

// In India, the day of 10:00 UTC ends at 18:30 UTC.
const ctx = { now: NOW, workspace: { countryCode: '91', timezone: 'Asia/Kolkata' } }
const inStages = (...values: string[]) => ({ is: 'in', of: 'stage', values })
const open = inStages(NEW.id, CONTACTED.id, FORMER.id)

const VIEWS: Record<SystemView, object> = {
  'sys:all': { condition: { all: [] } },
  'sys:open': { condition: open },
  'sys:won': { condition: inStages(WON.id) },
  'sys:lost': { condition: inStages(LOST.id) },
  'sys:unassigned': { condition: { not: { is: 'in', of: 'owner', values: [RAVI.id, MEERA.id] } } },
  'sys:new_today': { condition: { is: 'gte', of: 'createdAt', value: new Date('2026-03-09T18:30:00Z') } },
  'sys:followups': {
    condition: { all: [open, { is: 'lt', of: 'nextFollowUpAt', value: new Date('2026-03-10T18:30:00Z') }] },
    sort: 'nextFollowUpAt',
  },
}

test.each(SYSTEM_VIEWS)('%s', (view) => {
  expect(systemView(ctx, LEAD_WORDS, view)).toEqual(VIEWS[view])
})
