/** Edits the teams that share chats, and switches the member's availability. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import { useForm } from 'react-hook-form'
import type { Team } from '../../../sdk/api.ts'
import { availabilityQuery, setAvailability } from '../../api/availability.ts'
import { showIssues } from '../../api/form.ts'
import { call } from '../../api/request.ts'
import { hasRole, useWorkspaceSession } from '../../api/session.ts'
import { EntryDialog } from '../../kit/entry-dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { MultiSelect } from '../../kit/multi-select.tsx'
import { Section } from '../../kit/page.tsx'
import { SelectField } from '../../kit/select.tsx'
import { Switch } from '../../kit/switch.tsx'
import { withConfirmation } from '../../shell/confirm.ts'
import { teamQuery } from '../../tasks/queries.ts'
import { teamsQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { reportSaved, useWrite } from '../use-write.ts'
import { ListSection } from './list-section.tsx'

const READS = ['team']
const ASSIGNMENTS = ['round_robin', 'manual'] as const
const FIELDS = ['name', 'description', 'assignment', 'capacity', 'memberIds', 'phoneNumberIds'] as const

const numbersQuery = {
  queryKey: ['number', 'list'],
  queryFn: async () => (await call('GET /phone-numbers')).phoneNumbers,
}

const formOf = (team: Team | undefined) => ({
  name: team?.name ?? '',
  description: team?.description ?? '',
  assignment: team?.assignment ?? ASSIGNMENTS[0],
  capacity: team?.capacity ? String(team.capacity) : '',
  memberIds: team?.members.map(({ id }) => id) ?? [],
  phoneNumberIds: team?.phoneNumberIds ?? [],
})

function TeamDialog({ team, onClose }: { team: Team | undefined; onClose: () => void }) {
  const { data: members = [] } = useQuery(teamQuery)
  const { data: numbers = [] } = useQuery(numbersQuery)
  const form = useForm({ defaultValues: formOf(team) })
  const { errors } = form.formState
  const { assignment, memberIds, phoneNumberIds } = form.watch()
  const choose = (field: 'memberIds' | 'phoneNumberIds') => (values: string[]) =>
    form.setValue(field, values, { shouldDirty: true })
  return (
    <EntryDialog
      form={form}
      title={t(team ? 'teams.change' : 'teams.add')}
      save={({ capacity, description, ...rest }) => {
        const body = {
          ...rest,
          description: description.trim() === '' ? null : description,
          // Other text than a number is an error of the server, and never no limit.
          capacity: capacity.trim() === '' ? null : Number(capacity) || 0,
        }
        return withConfirmation(async () =>
          team ? call('PATCH /teams/{id}', { params: { id: team.id }, body }) : call('POST /teams', { body }),
        )
      }}
      onSaved={() => reportSaved(t('teams.saved'), READS)}
      onError={(error) => showIssues(error, FIELDS, form.setError)}
      onClose={onClose}
    >
      <TextField
        label={t('teams.name')}
        autoFocus
        maxLength={100}
        error={errors.name?.message}
        {...form.register('name')}
      />
      <TextField
        label={t('teams.description')}
        error={errors.description?.message}
        {...form.register('description')}
      />
      <MultiSelect
        label={t('teams.members')}
        values={memberIds}
        error={errors.memberIds?.message}
        onChange={choose('memberIds')}
        choices={members.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <SelectField
        label={t('teams.assignment')}
        hint={t('teams.assignment.hint')}
        value={assignment}
        error={errors.assignment?.message}
        onChange={(value) => form.setValue('assignment', value, { shouldDirty: true })}
        choices={ASSIGNMENTS.map((value) => ({ value, label: t(`teams.${value}`) }))}
      />
      {assignment === 'round_robin' && (
        <TextField
          label={t('teams.capacity')}
          hint={t('teams.capacity.hint')}
          inputMode="numeric"
          error={errors.capacity?.message}
          {...form.register('capacity')}
        />
      )}
      <MultiSelect
        label={t('teams.numbers')}
        hint={t('teams.numbers.hint')}
        values={phoneNumberIds}
        error={errors.phoneNumberIds?.message}
        onChange={choose('phoneNumberIds')}
        choices={numbers.map(({ id, number, displayName }) => ({ value: id, label: displayName || number }))}
      />
    </EntryDialog>
  )
}

function OwnAvailability() {
  const { data: available } = useQuery(availabilityQuery)
  const change = useWrite({
    work: setAvailability,
    done: (answer) => t(answer.available ? 'availability.on' : 'availability.off'),
    reads: READS,
  })
  return (
    <Section title={t('availability.title')} description={t('availability.text')}>
      <div className="max-w-2xl">
        <Switch
          label={t('availability.switch')}
          checked={change.isPending ? change.variables : available !== false}
          disabled={available === undefined || change.isPending}
          onChange={(isOn) => change.mutate(isOn)}
        />
      </div>
    </Section>
  )
}

export function Teams() {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const { role } = useWorkspaceSession(workspace).member
  return (
    <>
      <OwnAvailability />
      <ListSection
        name="teams"
        icon={Users}
        query={useInfiniteQuery(teamsQuery)}
        nameOf={({ name }) => name}
        remove={({ id }) => call('DELETE /teams/{id}', { params: { id } })}
        reads={READS}
        mayEdit={hasRole(role, 'admin')}
        form={(team, onClose) => <TeamDialog team={team} onClose={onClose} />}
        columns={[
          {
            id: 'name',
            title: t('teams.name'),
            cell: ({ name, description }) => (
              <span className="flex flex-col">
                <span className="font-medium">{name}</span>
                {description && <span className="text-sm text-ink-3">{description}</span>}
              </span>
            ),
          },
          {
            id: 'assignment',
            title: t('teams.assignment'),
            cell: ({ assignment }) => t(`teams.${assignment}`),
          },
          {
            id: 'members',
            title: t('teams.members'),
            cell: ({ members }) =>
              members.length > 0 && (
                <span className="line-clamp-2 text-ink-2">
                  {members
                    .map(({ name, available }) => (available ? name : t('teams.away', { name })))
                    .join(', ')}
                </span>
              ),
          },
        ]}
      />
    </>
  )
}
