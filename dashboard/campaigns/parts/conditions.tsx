/** Edits the conditions of an audience, and counts the contacts that match them now. */
import { useQuery } from '@tanstack/react-query'
import { classes } from '../../kit/classes.ts'
import { TextField } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { useDebounced } from '../../kit/use-debounced.ts'
import { segmentCountQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { type Conditions, type Definition, OPT_INS } from './conditions-shape.ts'
import { TagField } from './tag-field.tsx'

const DEBOUNCE_MS = 300

/** Shows how many contacts match now; the count follows the conditions. */
export function LiveCount({ definition }: { definition: Definition }) {
  const settled = useDebounced(JSON.stringify(definition), DEBOUNCE_MS)
  const { data, isError, isPlaceholderData } = useQuery(segmentCountQuery(JSON.parse(settled) as Definition))
  const isOld = isPlaceholderData || settled !== JSON.stringify(definition)
  return (
    <p role="status" className={classes('text-ink-2', isOld && data && 'opacity-60')}>
      {isError
        ? t('count.error')
        : data
          ? t('count.matched', { count: data.matched, reachable: data.reachable })
          : t('count.pending')}
    </p>
  )
}

type Props = { conditions: Conditions; onChange: (patch: Partial<Conditions>) => void }

export const ConditionFields = ({ conditions, onChange }: Props) => (
  <>
    <TagField label={t('tags.any')} tags={conditions.tags} onChange={(tags) => onChange({ tags })} />
    <TagField
      label={t('tags.none')}
      tags={conditions.excludeTags}
      onChange={(excludeTags) => onChange({ excludeTags })}
    />
    <SelectField
      label={t('optIn')}
      value={conditions.optIn}
      onChange={(optIn) => onChange({ optIn })}
      choices={[...OPT_INS, ...(conditions.optIn === 'opted_out' ? (['opted_out'] as const) : [])].map(
        (value) => ({ value, label: t(`optIn.${value}`) }),
      )}
    />
    <TextField
      label={t('seen')}
      hint={t('seen.hint')}
      type="number"
      min={1}
      max={3650}
      value={conditions.seenDays}
      onChange={(event) => onChange({ seenDays: (event.target as HTMLInputElement).value })}
    />
  </>
)
