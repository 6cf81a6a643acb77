/** Rows of the pipeline, the team, leads, and tasks, for tests of rules without a database. */
import { pipelineOf } from '../../src/modules/selling/crm/operations/pipeline.ts'
import type { LeadWords } from '../../src/modules/selling/crm/operations/present-lead.ts'
import type { LeadRow } from '../../src/modules/selling/crm/queries/leads.ts'
import type { LostReasonRow, StageRow } from '../../src/modules/selling/crm/queries/pipeline.ts'
import type { TaskRow } from '../../src/modules/selling/crm/queries/tasks.ts'

export const NOW = new Date('2026-03-10T10:00:00Z')
const WORKSPACE_ID = '00000000-0000-7000-8000-000000000000'

/** Returns an id of a test: the same for the same number. */
export const testId = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`

const workspaceOfRow = { workspaceId: WORKSPACE_ID, createdAt: NOW }

export const stageRow = (n: number, name: string, kind: StageRow['kind'], more: Partial<StageRow> = {}) => ({
  ...workspaceOfRow,
  id: testId(n),
  name,
  color: '#64748b',
  kind,
  position: n,
  removedAt: null,
  replacedBy: null,
  ...more,
})

export const lostReasonRow = (n: number, label: string, more: Partial<LostReasonRow> = {}) => ({
  ...workspaceOfRow,
  id: testId(n),
  label,
  position: n,
  removedAt: null,
  ...more,
})

export const [NEW, CONTACTED, WON, LOST, FORMER] = [
  stageRow(1, 'New', 'initial'),
  stageRow(2, 'Contacted', 'active'),
  stageRow(3, 'Won', 'won'),
  stageRow(4, 'Lost', 'lost'),
  stageRow(5, 'Called', 'active', { removedAt: NOW, replacedBy: testId(2) }),
] as const
export const [PRICE, OTHER, FORMER_REASON] = [
  lostReasonRow(11, 'Price'),
  lostReasonRow(12, 'Other'),
  lostReasonRow(13, 'Distance', { removedAt: NOW }),
] as const

const memberRow = (n: number, name: string): LeadWords['team'][number] => ({
  ...workspaceOfRow,
  id: testId(n),
  accountId: null,
  email: `${name.toLowerCase()}@example.com`,
  name,
  role: 'agent',
  owner: false,
  leftAt: null,
  userName: null,
  externalId: null,
  givenName: null,
  familyName: null,
  suspendedAt: null,
})
export const [RAVI, MEERA] = [memberRow(21, 'Ravi'), memberRow(22, 'Meera')] as const
/** The id of a person who left the team. */
export const FORMER_MEMBER_ID = testId(29)

export const LEAD_WORDS: LeadWords = {
  pipeline: pipelineOf([NEW, CONTACTED, WON, LOST, FORMER], [PRICE, OTHER, FORMER_REASON]),
  team: [RAVI, MEERA],
}

export const leadRow = (more: Partial<LeadRow> = {}): LeadRow => ({
  workspaceId: WORKSPACE_ID,
  id: testId(31),
  contactId: testId(32),
  phone: '919812345678',
  name: 'Asha',
  email: null,
  stageId: NEW.id,
  lostReasonId: null,
  rating: 0,
  source: null,
  ownerId: null,
  dealValue: 0,
  paidTotal: 0,
  tags: [],
  attributes: {},
  nextFollowUpAt: null,
  manualFollowUpAt: null,
  captureCount: 1,
  lastCapturedAt: NOW,
  stageChangedAt: NOW,
  createdAt: NOW,
  updatedAt: NOW,
  ...more,
})

export const taskRow = (more: Partial<TaskRow> = {}): TaskRow => ({
  ...workspaceOfRow,
  id: testId(41),
  leadId: testId(31),
  type: 'call',
  title: 'Call about delivery',
  dueAt: NOW,
  priority: 'normal',
  status: 'pending',
  assigneeId: null,
  completedAt: null,
  outcome: null,
  updatedAt: NOW,
  remindedFor: null,
  ...more,
})
