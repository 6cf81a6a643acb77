import { useQuery } from '@tanstack/react-query'
import { ListFilter as FilterIcon, X } from 'lucide-react'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/field.tsx'
import { formatMoney } from '../../kit/money.ts'
import { Popover } from '../../kit/popover.tsx'
import { SelectField } from '../../kit/select.tsx'
import { teamQuery } from '../../tasks/queries.ts'
import { t } from '../texts.ts'
import { FILTER_FIELDS, type FilterField, type Filters } from '../view.ts'

const ANY = 'any'
const TEXTS = ['tag', 'source'] as const
const NUMBERS = ['dealValue', 'days'] as const
const RATINGS = ['1', '2', '3', '4', '5']

type Props = { filters: Filters; onChange: (filters: Filters) => void }

/** Returns a filter in words, such as “Minimum rating: 4 stars”. */
function textOf(field: FilterField, value: string, team: readonly { id: string; name: string }[]): string {
  const words = {
    owner: () => team.find(({ id }) => id === value)?.name ?? value,
    rating: () => t('rating', { rating: Number(value) }),
    dealValue: () => formatMoney(Number(value)),
    tag: () => value,
    source: () => value,
    days: () => value,
  }
  return t('filter.chip', { field: t(`filter.${field}`), value: words[field]() })
}

/** Shows the filters that apply; each is removed by its button. */
export function FilterChips({ filters, onChange }: Props) {
  const { data: team = [] } = useQuery(teamQuery)
  const fields = FILTER_FIELDS.filter((field) => filters[field])
  if (fields.length === 0) return null
  return (
    <ul aria-label={t('filter.list')} className="order-last flex basis-full flex-wrap items-center gap-1.5">
      {fields.map((field) => {
        const text = textOf(field, filters[field]!, team)
        const { [field]: _, ...rest } = filters
        return (
          <li key={field} className="max-w-full">
            <button
              type="button"
              aria-label={t('filter.remove', { filter: text })}
              onClick={() => onChange(rest)}
              className="flex h-7 max-w-full items-center gap-1 rounded-full border border-edge bg-surface-2 ps-2.5 pe-2 text-sm hover:bg-surface-3 pointer-coarse:h-11"
            >
              <span dir="auto" className="truncate">
                {text}
              </span>
              <X aria-hidden size={13} className="shrink-0 text-ink-3" />
            </button>
          </li>
        )
      })}
      <li>
        <Button variant="ghost" size="sm" onClick={() => onChange({})}>
          {t('filter.clear')}
        </Button>
      </li>
    </ul>
  )
}

/** Filters the leads; typed values apply when the field is left. */
export function FilterButton({ filters, onChange }: Props) {
  const { data: team = [] } = useQuery(teamQuery)
  const set = (field: FilterField, value: string) => {
    const { [field]: _, ...rest } = filters
    onChange(value === '' || value === ANY ? rest : { ...rest, [field]: value })
  }
  const count = FILTER_FIELDS.filter((field) => filters[field]).length
  const line = (field: (typeof TEXTS | typeof NUMBERS)[number], isNumber: boolean) => (
    <TextField
      key={`${field} ${filters[field] ?? ''}`}
      label={t(`filter.${field}`)}
      defaultValue={filters[field] ?? ''}
      type={isNumber ? 'number' : 'text'}
      min={isNumber ? 1 : undefined}
      onBlur={(event) => set(field, event.currentTarget.value.trim())}
      onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
    />
  )
  return (
    <Popover
      align="end"
      title={t('filter.title')}
      trigger={
        <Button icon={FilterIcon}>{count > 0 ? t('filter.count', { count }) : t('filter.title')}</Button>
      }
    >
      <div className="flex flex-col gap-3 p-1">
        <SelectField
          label={t('filter.owner')}
          value={filters.owner ?? ANY}
          onChange={(value) => set('owner', value)}
          choices={[
            { value: ANY, label: t('filter.any') },
            ...team.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        <SelectField
          label={t('filter.rating')}
          value={filters.rating ?? ANY}
          onChange={(value) => set('rating', value)}
          choices={[
            { value: ANY, label: t('filter.any') },
            ...RATINGS.map((rating) => ({ value: rating, label: t('rating', { rating: Number(rating) }) })),
          ]}
        />
        {TEXTS.map((field) => line(field, false))}
        {NUMBERS.map((field) => line(field, true))}
        {count > 0 && <Button onClick={() => onChange({})}>{t('filter.clear')}</Button>}
      </div>
    </Popover>
  )
}
