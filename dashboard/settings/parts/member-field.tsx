import { useQuery } from '@tanstack/react-query'
import { SelectField } from '../../kit/select.tsx'
import { teamQuery } from '../../tasks/queries.ts'
import { t } from '../texts.ts'

const NO_MEMBER = 'none'
type Props = { value: string | null; onChange: (id: string | null) => void }

/** Chooses the team member behind a bookable person; a former member stays selected. */
export function MemberField({ value, onChange }: Props) {
  const { data: team } = useQuery(teamQuery)
  const hasLeft = value !== null && team?.every(({ id }) => id !== value)
  return (
    <SelectField
      label={t('staff.member')}
      hint={t('staff.member.hint')}
      value={value ?? NO_MEMBER}
      onChange={(id) => onChange(id === NO_MEMBER ? null : id)}
      choices={[
        { value: NO_MEMBER, label: t('staff.member.none') },
        ...(team ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ...(hasLeft ? [{ value, label: t('staff.member.left') }] : []),
      ]}
    />
  )
}
