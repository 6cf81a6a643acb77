import { expect, test } from 'vitest'
import { SKIP_REASONS } from '../../../src/modules/messaging/broadcasts/audience.ts'
import { reasonOf } from './state.tsx'

test('every reason for which a campaign skips a recipient has a text', () => {
  for (const reason of [...SKIP_REASONS, 'cool_off', 'cancelled']) expect(reasonOf(reason)).not.toBe(reason)
})
