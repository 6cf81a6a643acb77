import { useQuery } from '@tanstack/react-query'
import { Controller, type Path, useForm } from 'react-hook-form'
import type { AutoReply, PhoneNumber } from '../../../sdk/api.ts'
import { parseLines, parseOptionalNumber, showIssues } from '../../api/form.ts'
import { numbersQuery } from '../../inbox/queries.ts'
import { EntryDialog } from '../../kit/entry-dialog.tsx'
import { TextArea, TextField } from '../../kit/field.tsx'
import { MultiSelect } from '../../kit/multi-select.tsx'
import { SelectField } from '../../kit/select.tsx'
import { notify } from '../../kit/toasts.tsx'
import { withConfirmation } from '../../shell/confirm.ts'
import { KINDS, type Kind, type NewAutoReply, refreshList, saveAutoReply } from '../queries.ts'
import { t } from '../texts.ts'
import { KeywordTest } from './keyword-test.tsx'
import { MessageField } from './message-field.tsx'
import { type Validity, ValidityFields } from './validity.tsx'

const MATCHES = ['word', 'exact', 'contains', 'starts', 'regex'] as const

type Values = {
  kind: Kind
  keywords: string
  match: AutoReply['match']
  text: string
  daysSilent: string
  cooldown: string
  schedule: AutoReply['schedule']
  /** Empty means all numbers. */
  numbers: string[]
} & Validity

/** The fields that can show the server's errors. */
const NAMES = [
  'kind',
  'keywords',
  'match',
  'text',
  'daysSilent',
  'cooldown',
  'schedule',
  'numbers',
  'validFrom',
  'validUntil',
] as const
/** The server's names of fields, if they differ. */
const PLACES: Record<string, Path<Values>> = {
  'reply.text': 'text',
  cooldownMinutes: 'cooldown',
  phoneNumberIds: 'numbers',
}

/** Returns the numbers to choose from; a chosen number that was deleted can still be removed. */
const choicesOf = (numbers: readonly PhoneNumber[], chosen: readonly string[]) => [
  ...numbers.map(({ id, displayName, number }) => ({
    value: id,
    label: displayName === number ? number : `${displayName} · ${number}`,
  })),
  ...chosen
    .filter((id) => numbers.every((number) => number.id !== id))
    .map((value) => ({ value, label: t('form.numbers.gone') })),
]

const valuesOf = (reply: AutoReply | undefined): Values => ({
  kind: reply?.kind ?? 'keyword',
  keywords: reply?.keywords.join('\n') ?? '',
  match: reply?.match ?? 'word',
  text: reply?.reply.text ?? '',
  daysSilent: String(reply?.daysSilent ?? ''),
  cooldown: String(reply?.cooldownMinutes ?? ''),
  schedule: reply?.schedule ?? 'always',
  numbers: reply?.phoneNumberIds ?? [],
  validFrom: reply?.validFrom ?? null,
  validUntil: reply?.validUntil ?? null,
})

function bodyOf(values: Values, position: number | undefined): NewAutoReply {
  const { kind, keywords, match, text, daysSilent, cooldown, schedule, numbers, validFrom, validUntil } =
    values
  const cooldownMinutes = parseOptionalNumber(cooldown)
  return {
    kind,
    reply: { text },
    schedule,
    validFrom: validFrom ?? null,
    validUntil: validUntil ?? null,
    ...(cooldownMinutes === undefined ? {} : { cooldownMinutes }),
    ...(kind === 'keyword' ? { keywords: parseLines(keywords), match } : {}),
    ...(kind === 'welcome' ? { daysSilent: parseOptionalNumber(daysSilent) ?? null } : {}),
    phoneNumberIds: numbers.length > 0 ? numbers : null,
    ...(position === undefined ? {} : { position }),
  }
}

type Props = {
  reply: AutoReply | undefined
  /** Returns the position of a new auto-reply of a kind. */
  lastOf: (kind: Kind) => number
  onClose: () => void
}

export function AutoReplyForm({ reply, lastOf, onClose }: Props) {
  const { data: numbers } = useQuery(numbersQuery)
  const form = useForm<Values>({ defaultValues: valuesOf(reply) })
  const { register, control, watch, setValue, setError, formState } = form
  const { errors } = formState
  const kind = watch('kind')
  const isRegex = watch('match') === 'regex'
  return (
    <EntryDialog
      form={form}
      title={t(reply ? 'form.change' : 'form.new')}
      save={(values) =>
        withConfirmation(() =>
          saveAutoReply(reply?.id, bodyOf(values, reply ? undefined : lastOf(values.kind))),
        )
      }
      onSaved={() => {
        notify({ title: t('saved'), kind: 'good' })
        return refreshList()
      }}
      onError={(error) => showIssues(error, NAMES, setError, PLACES)}
      onClose={onClose}
    >
      {!reply && (
        <SelectField
          label={t('form.kind')}
          value={kind}
          onChange={(next) => {
            setValue('kind', next)
            setValue('schedule', next === 'away' ? 'business_hours' : 'always')
          }}
          choices={KINDS.map((value) => ({ value, label: t(`single.${value}`) }))}
        />
      )}
      {kind === 'keyword' && (
        <>
          <TextArea
            label={t(isRegex ? 'form.patterns' : 'form.keywords')}
            hint={t(isRegex ? 'form.patterns.hint' : 'form.keywords.hint')}
            spellCheck={!isRegex}
            error={errors.keywords?.message}
            {...register('keywords')}
          />
          <Controller
            control={control}
            name="match"
            render={({ field: { value, onChange } }) => (
              <SelectField
                label={t('form.match')}
                value={value}
                onChange={onChange}
                choices={MATCHES.map((match) => ({ value: match, label: t(`match.${match}`) }))}
              />
            )}
          />
          <KeywordTest keywords={parseLines(watch('keywords'))} match={watch('match')} />
        </>
      )}
      <MessageField
        field={register('text')}
        error={errors.text?.message}
        onInsert={(text) => setValue('text', text, { shouldDirty: true })}
      />
      {kind === 'welcome' && (
        <TextField
          label={t('form.daysSilent')}
          hint={t('form.daysSilent.hint')}
          inputMode="numeric"
          error={errors.daysSilent?.message}
          {...register('daysSilent')}
        />
      )}
      <Controller
        control={control}
        name="schedule"
        render={({ field: { value, onChange } }) => (
          <SelectField
            label={t('form.schedule')}
            value={value}
            onChange={onChange}
            choices={[
              { value: 'always', label: t('schedule.always') },
              {
                value: 'business_hours',
                label: t(kind === 'away' ? 'schedule.closed' : 'schedule.open'),
              },
            ]}
          />
        )}
      />
      <TextField
        label={t('form.cooldown')}
        hint={t('form.cooldown.hint')}
        inputMode="numeric"
        error={errors.cooldown?.message}
        {...register('cooldown')}
      />
      <ValidityFields
        value={{ validFrom: watch('validFrom'), validUntil: watch('validUntil') }}
        onChange={({ validFrom, validUntil }) => {
          setValue('validFrom', validFrom, { shouldDirty: true })
          setValue('validUntil', validUntil, { shouldDirty: true })
        }}
        errors={{ validFrom: errors.validFrom?.message, validUntil: errors.validUntil?.message }}
      />
      {numbers && (numbers.length > 1 || reply?.phoneNumberIds) && (
        <Controller
          control={control}
          name="numbers"
          render={({ field: { value, onChange } }) => (
            <MultiSelect
              label={t('form.numbers')}
              hint={t('form.numbers.hint')}
              error={errors.numbers?.message}
              values={value}
              onChange={onChange}
              choices={choicesOf(numbers, value)}
            />
          )}
        />
      )}
    </EntryDialog>
  )
}
