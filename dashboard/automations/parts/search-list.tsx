/** Shows the automations that match a search and a state. The page has them all, so it searches itself. */
import { Zap } from 'lucide-react'
import { useState } from 'react'
import type { Automation } from '../../../sdk/api.ts'
import { ListFilters } from '../../kit/list-filters.tsx'
import { Empty } from '../../kit/states.tsx'
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

/** Below this number, all automations are in view. */
const FEW = 6

type Props = { automations: readonly Automation[]; workspace: string; mayWrite: boolean }

export function SearchList({ automations, ...props }: Props) {
  const [text, setText] = useState('')
  const [state, setState] = useState<State>('all')
  if (automations.length < FEW) return <AutomationTable automations={automations} {...props} />
  const searched = text.trim().toLocaleLowerCase()
  const found = automations.filter(
    (automation) =>
      IS[state](automation) &&
      `${automation.name} ${formatTrigger(automation.trigger)}`.toLocaleLowerCase().includes(searched),
  )
  return (
    <>
      <div className="mb-3 max-w-xl">
        <ListFilters
          search={{ label: t('search'), value: text, onChange: setText, pauseMs: 0 }}
          filter={{
            name: t('filter'),
            value: state,
            onChange: setState,
            choices: STATES.map((value) => ({ value, label: t(`filter.${value}`) })),
          }}
        />
      </div>
      {found.length > 0 ? (
        <AutomationTable automations={found} {...props} />
      ) : (
        <Empty icon={Zap} title={t('search.none')}>
          {t('search.none.text')}
        </Empty>
      )}
    </>
  )
}
