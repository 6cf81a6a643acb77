/** The member's layout of the leads, and the order of the cards on the board. */
import { memberPreference } from '../shell/member-preference.ts'
import type { CardOrder } from './order.ts'

export type LeadsLayout = { layout: 'board' | 'table'; order: CardOrder }

export const leadsLayout = memberPreference<LeadsLayout>('leads', { layout: 'board', order: 'changed' })
