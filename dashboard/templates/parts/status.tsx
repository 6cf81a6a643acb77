import type { Template } from '../../../sdk/api.ts'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { t } from '../texts.ts'

export const STATUSES = ['pending', 'approved', 'rejected', 'paused', 'disabled'] as const
const TONES: Record<Template['status'], Tone> = {
  pending: 'warn',
  approved: 'good',
  rejected: 'bad',
  paused: 'warn',
  disabled: 'bad',
}

export const StatusBadge = ({ status }: { status: Template['status'] }) => (
  <Badge tone={TONES[status]}>{t(`status.${status}`)}</Badge>
)

const CATEGORIES = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const

/** Returns the label of the category; the operator may have categories that are not known here. */
export function categoryOf({ category }: Pick<Template, 'category'>): string {
  const knownCategory = CATEGORIES.find((candidate) => candidate === category)
  return knownCategory ? t(`category.${knownCategory}`) : category
}
