/** Defines the icon of each kind of notification, and the page it opens. */
import {
  AtSign,
  CirclePause,
  Flag,
  Inbox,
  Kanban,
  ListChecks,
  type LucideIcon,
  MessageSquare,
  PhoneOff,
  ReceiptText,
  TriangleAlert,
} from 'lucide-react'
import type { Notification } from '../../../sdk/api.ts'

type Kind = { icon: LucideIcon; path: (notification: Notification) => string }

const inbox = ({ subjectId }: Notification): string => `inbox/${subjectId}`
const task = ({ parentId }: Notification): string => (parentId ? `leads/${parentId}` : 'tasks')
const campaign = ({ subjectId }: Notification): string => `campaigns/${subjectId}`

export const KINDS: Record<Notification['kind'], Kind> = {
  mention: { icon: AtSign, path: inbox },
  conversation_assigned: { icon: MessageSquare, path: inbox },
  lead_assigned: { icon: Kanban, path: ({ subjectId }) => `leads/${subjectId}` },
  task_assigned: { icon: ListChecks, path: task },
  task_due: { icon: ListChecks, path: task },
  campaign_paused: { icon: CirclePause, path: campaign },
  campaign_completed: { icon: Flag, path: campaign },
  campaign_to_decide: { icon: Flag, path: campaign },
  webhook_disabled: { icon: TriangleAlert, path: ({ subjectId }) => `webhooks/${subjectId}` },
  number_failing: { icon: PhoneOff, path: () => 'settings/numbers' },
  submission_needs_attention: { icon: Inbox, path: () => 'leads/attention' },
  order_paid_late: { icon: ReceiptText, path: () => 'integrations' },
}
export const KIND_NAMES = Object.keys(KINDS) as Notification['kind'][]
