/** Chooses the trigger: an event, a time, or a silence. */
import type { Issue } from '../../api/errors.ts'
import type { WorkspaceSession } from '../../api/session.ts'
import { TextField } from '../../kit/field.tsx'
import { Group } from '../../kit/group.tsx'
import { SelectField } from '../../kit/select.tsx'
import { Checkbox, Switch } from '../../kit/switch.tsx'
import { errorAt } from '../draft.ts'
import { groupOf, groupsFor } from '../events.ts'
import type { Catalog } from '../fields.ts'
import { eventTitle } from '../format.ts'
import type { Trigger } from '../queries.ts'
import { type Key, t } from '../texts.ts'
import { DurationField } from './duration.tsx'

type TriggerKind = 'event' | 'schedule' | 'idle'
type Props = {
  trigger: Trigger
  catalog: Catalog
  workspace: WorkspaceSession['workspace']
  issues: readonly Issue[]
  onChange: (trigger: Trigger) => void
}
type Schedule = Extract<Trigger, { schedule: unknown }>['schedule']
type Idle = Extract<Trigger, { idle: unknown }>['idle']

const FIRST: Record<TriggerKind, Trigger> = {
  event: { event: 'lead.created' },
  schedule: { schedule: { every: 'day', at: '10:00' } },
  idle: { idle: { side: 'team', minutes: 60 } },
}
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const
const triggerKindOf = (trigger: Trigger): TriggerKind =>
  'event' in trigger ? 'event' : 'idle' in trigger ? 'idle' : 'schedule'

/** Events that imports cause. */
const IMPORTED = [
  'lead.created',
  'lead.recaptured',
  'contact.created',
  'contact.updated',
  'lead.stage_changed',
  'lead.assigned',
]

function EventFields({
  trigger,
  catalog,
  workspace,
  issues,
  onChange,
}: Props & { trigger: { event: string; includeImports?: boolean } }) {
  const groups = groupsFor(workspace, Object.keys(catalog.examples), trigger.event)
  const chosen = groupOf(trigger.event)
  const events = groups.find(({ id }) => id === chosen)?.events ?? []
  const inSight = events.includes(trigger.event) ? events : [trigger.event, ...events]
  return (
    <>
      <SelectField
        label={t('about')}
        value={chosen}
        onChange={(id) =>
          onChange({ event: groups.find((group) => group.id === id)?.events[0] ?? trigger.event })
        }
        choices={groups.map(({ id }) => ({ value: id, label: t(`group.${id}` as Key) }))}
      />
      <SelectField
        label={t('happens')}
        error={errorAt(issues, 'trigger')}
        value={trigger.event}
        onChange={(event) => onChange({ event })}
        choices={inSight.map((event) => ({ value: event, label: eventTitle(event) }))}
      />
      {IMPORTED.includes(trigger.event) && (
        <div className="sm:col-span-2">
          <Switch
            label={t('imports')}
            checked={trigger.includeImports ?? false}
            onChange={(includeImports) => onChange({ ...trigger, includeImports })}
          />
        </div>
      )}
    </>
  )
}

function ScheduleFields({
  schedule,
  zone,
  issues,
  onChange,
}: {
  schedule: Schedule
  zone: string
  issues: readonly Issue[]
  onChange: (schedule: Schedule) => void
}) {
  const days = schedule.days ?? [1]
  return (
    <>
      <SelectField
        label={t('every')}
        value={schedule.every}
        onChange={(every) => onChange({ every, at: schedule.at, ...(every === 'day' ? {} : { days: [1] }) })}
        choices={(['day', 'week', 'month'] as const).map((value) => ({ value, label: t(`every.${value}`) }))}
      />
      <TextField
        label={t('at')}
        hint={t('at.hint', { zone })}
        type="time"
        error={errorAt(issues, 'trigger.schedule.at')}
        value={schedule.at}
        onChange={(event) => onChange({ ...schedule, at: event.target.value })}
      />
      {schedule.every === 'week' && (
        <div className="sm:col-span-2">
          <Group label={t('days.week')} error={errorAt(issues, 'trigger.schedule.days')}>
            <div className="flex flex-wrap gap-x-4">
              {WEEKDAYS.map((day) => (
                <Checkbox
                  key={day}
                  label={t(`weekday.${day}`)}
                  checked={days.includes(day)}
                  onChange={(isOn) =>
                    onChange({
                      ...schedule,
                      days: isOn ? [...days, day].toSorted() : days.filter((other) => other !== day),
                    })
                  }
                />
              ))}
            </div>
          </Group>
        </div>
      )}
      {schedule.every === 'month' && (
        <div className="sm:col-span-2">
          <TextField
            label={t('days.month')}
            hint={t('days.month.hint')}
            error={errorAt(issues, 'trigger.schedule.days')}
            defaultValue={days.join(', ')}
            onChange={(event) =>
              onChange({
                ...schedule,
                days: event.target.value
                  .split(',')
                  .map((part) => part.trim())
                  .filter(Boolean)
                  .map(Number),
              })
            }
          />
        </div>
      )}
    </>
  )
}

function IdleFields({
  idle,
  issues,
  onChange,
}: {
  idle: Idle
  issues: readonly Issue[]
  onChange: (idle: Idle) => void
}) {
  return (
    <>
      <SelectField
        label={t('side')}
        value={idle.side}
        onChange={(side) => onChange({ ...idle, side })}
        choices={(['team', 'customer'] as const).map((value) => ({ value, label: t(`side.${value}`) }))}
      />
      <DurationField
        label={t('for')}
        minutes={idle.minutes}
        onChange={(minutes) => onChange({ ...idle, minutes } as Idle)}
        error={errorAt(issues, 'trigger')}
      />
    </>
  )
}

export function TriggerFields(props: Props) {
  const { trigger, issues, onChange } = props
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <div className="sm:col-span-2">
        <SelectField
          label={t('starts')}
          hint={'schedule' in trigger ? t('starts.schedule.hint') : undefined}
          value={triggerKindOf(trigger)}
          onChange={(kind) => onChange(FIRST[kind])}
          choices={(['event', 'schedule', 'idle'] as const).map((value) => ({
            value,
            label: t(`starts.${value}`),
          }))}
        />
      </div>
      {'event' in trigger ? (
        <EventFields {...props} trigger={trigger} />
      ) : 'schedule' in trigger ? (
        <ScheduleFields
          schedule={trigger.schedule}
          zone={props.workspace.timezone}
          issues={issues}
          onChange={(schedule) => onChange({ schedule })}
        />
      ) : (
        <IdleFields idle={trigger.idle} issues={issues} onChange={(idle) => onChange({ idle })} />
      )}
    </div>
  )
}
