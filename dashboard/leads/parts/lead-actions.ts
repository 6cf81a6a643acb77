/** The actions of a lead in a list, for its menu. */
import type { Lead } from '../../../sdk/api.ts'
import type { MenuEntry } from '../../kit/menu.tsx'
import { t } from '../texts.ts'
import type { CloseKind, Question } from './question.tsx'

export type LeadActions = {
  onQuestion: (question: Question) => void
  onClose: (lead: Lead, kind: CloseKind) => void
}

export function entriesOfLead(lead: Lead, { onQuestion, onClose }: LeadActions): MenuEntry[] {
  const { kind } = lead.stage
  return [
    {
      label: t('action.move'),
      keys: 's',
      onSelect: () => onQuestion({ kind: 'stage', lead }),
    },
    ...(kind === 'won'
      ? []
      : [{ label: t('action.won'), keys: 'Shift+w', onSelect: () => onClose(lead, 'won') }]),
    ...(kind === 'lost'
      ? []
      : [{ label: t('action.lost'), keys: 'Shift+l', onSelect: () => onClose(lead, 'lost') }]),
    {
      label: t('action.assign'),
      keys: 'a',
      onSelect: () => onQuestion({ kind: 'owner', lead }),
    },
  ]
}
