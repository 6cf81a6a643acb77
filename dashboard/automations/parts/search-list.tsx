/** Shows the automations that match a search and a state. */
import { Zap } from 'lucide-react'
import type { Automation } from '../../../sdk/api.ts'
import { SearchedRows } from '../../kit/searched-rows.tsx'
import { formatTrigger } from '../format.ts'
import { t } from '../texts.ts'
import { AutomationTable } from './list.tsx'

const STATES = ['all', 'on', 'off', 'failed'] as const
type State = (typeof STATES)[number]

const IS: Record<State, (automation: Automation) => boolean> = {
  all: () => true,
  on: ({ enabled }) => enabled,
  off: ({ enabled }) => !enabled,
  failed: ({ stats }) => stats.failed > 0,
}

type Props = { automations: readonly Automation[]; workspace: string; mayWrite: boolean }

export const SearchList = ({ automations, ...props }: Props) => (
  <SearchedRows
    rows={automations}
    textOf={({ name, trigger }) => `${name} ${formatTrigger(trigger)}`}
    search={t('search')}
    filter={{
      name: t('filter'),
      choices: STATES.map((value) => ({ value, label: t(`filter.${value}`), includes: IS[value] })),
    }}
    none={{ icon: Zap, title: t('search.none'), text: t('search.none.text') }}
  >
    {(found) => <AutomationTable automations={found} {...props} />}
  </SearchedRows>
)
