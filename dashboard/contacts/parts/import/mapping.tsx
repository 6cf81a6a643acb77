/** What each column is, by samples of the file; then the dry run, and the import. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../../api/errors.ts'
import { fieldsQuery } from '../../../inbox/queries.ts'
import { Button } from '../../../kit/button.tsx'
import { Callout } from '../../../kit/callout.tsx'
import { TextField } from '../../../kit/field.tsx'
import { Section } from '../../../kit/page.tsx'
import { type Choice, Select, SelectField } from '../../../kit/select.tsx'
import { Table } from '../../../kit/table.tsx'
import { Outcome } from './outcome.tsx'
import { type Import, type Kind, type Start, startImport } from './queries.ts'
import { t } from './words.ts'

const FIELDS = {
  contacts: ['phone', 'displayName', 'firstName', 'lastName', 'tags', 'optInStatus', 'optInSource'],
  leads: [
    'phone',
    'name',
    'firstName',
    'lastName',
    'email',
    'source',
    'note',
    'stage',
    'lostReason',
    'owner',
    'rating',
    'dealValue',
    'tags',
    'nextFollowUpAt',
  ],
} as const satisfies Record<Kind, readonly string[]>
const NONE = 'none'
const ATTRIBUTE = 'attributes.'

type Mapping = Record<string, string>
type Declared = { key: string; label: string }

/** What a column can become: a field of ours, one that was declared, one of its own name. */
function choicesFor(kind: Kind, column: string, declared: readonly Declared[]): Choice<string>[] {
  const own = declared.map(({ key, label }) => ({ value: ATTRIBUTE + key, label }))
  const fresh = ATTRIBUTE + column
  return [
    { value: NONE, label: t('target.none') },
    ...FIELDS[kind].map((field) => ({ value: field as string, label: t(`target.${field}`) })),
    ...own,
    ...(own.some(({ value }) => value === fresh)
      ? []
      : [{ value: fresh, label: t('target.new', { name: column }) }]),
  ]
}

type ColumnsProps = { one: Import; kind: Kind; mapping: Mapping; onChange: (mapping: Mapping) => void }

function Columns({ one, kind, mapping, onChange }: ColumnsProps) {
  const { data: declared = [] } = useQuery(fieldsQuery)
  const become = (column: string, target: string) => {
    // A field is one column's: who had it before is left out.
    const next = Object.fromEntries(
      Object.entries(mapping).filter(([other, field]) => other !== column && field !== target),
    )
    onChange(target === NONE ? next : { ...next, [column]: target })
  }
  const samplesOf = (column: string) =>
    [...new Set(one.sample.map((cells) => cells[column] ?? ''))].filter((cell) => cell !== '').slice(0, 3)
  return (
    <Table
      label={t('mapping')}
      rows={one.columns}
      keyOf={(column) => column}
      columns={[
        {
          id: 'column',
          title: t('column'),
          cell: (column) => <span className="font-medium break-words">{column}</span>,
        },
        {
          id: 'sample',
          title: t('sample'),
          hideBelow: 'sm',
          className: 'w-1/3',
          cell: (column) => (
            <ul className="text-sm text-ink-2">
              {samplesOf(column).map((cell) => (
                <li key={cell} className="max-w-56 truncate">
                  {cell}
                </li>
              ))}
            </ul>
          ),
        },
        {
          id: 'target',
          title: t('target'),
          className: 'w-56 max-sm:w-44',
          cell: (column) => (
            <Select
              name={t('target.of', { column })}
              value={mapping[column] ?? NONE}
              onChange={(target) => become(column, target)}
              choices={choicesFor(kind, column, declared)}
            />
          ),
        },
      ]}
    />
  )
}

const written = (texts: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== ''))

const sorted = (texts: Record<string, string> | null | undefined): string =>
  JSON.stringify(Object.entries(texts ?? {}).sort())
const isSame = (...[one, other]: Parameters<typeof sorted>[0][]): boolean => sorted(one) === sorted(other)

export function MappingForm({ one }: { one: Import }) {
  const [kind, setKind] = useState<Kind>(one.kind ?? 'contacts')
  const [mapping, setMapping] = useState<Mapping>(one.mapping ?? one.guess[kind])
  const [constants, setConstants] = useState<Record<string, string>>(one.constants ?? {})
  const order: Start = { kind, mapping, constants: written(constants) }
  const start = useMutation({
    mutationFn: (dryRun: boolean) => startImport(one.id, { ...order, dryRun }),
  })
  const isTried =
    one.state === 'checked' &&
    one.kind === kind &&
    isSame(one.mapping, mapping) &&
    isSame(one.constants, order.constants)
  const hasPhone = Object.values(mapping).includes('phone')
  const setConstant = (field: string) => (text: string) => setConstants({ ...constants, [field]: text })
  return (
    <>
      {isTried && <Outcome one={one} would />}
      <Section title={t('mapping')} description={t('mapping.text')}>
        <SelectField
          label={t('field.kind')}
          value={kind}
          onChange={(next) => {
            setKind(next)
            setMapping(one.guess[next])
          }}
          choices={(['contacts', 'leads'] as const).map((value) => ({ value, label: t(`kind.${value}`) }))}
          className="mb-4 max-w-56"
        />
        <Columns one={one} kind={kind} mapping={mapping} onChange={setMapping} />
      </Section>
      <Section title={t('for.all')}>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={t('tags')}
            hint={t('tags.hint')}
            value={constants.tags ?? ''}
            onChange={(event) => setConstant('tags')(event.target.value)}
          />
          {kind === 'leads' && (
            <TextField
              label={t('source')}
              hint={t('source.hint')}
              value={constants.source ?? ''}
              onChange={(event) => setConstant('source')(event.target.value)}
            />
          )}
        </div>
      </Section>
      {(start.isError || !hasPhone) && (
        <div className="mb-4">
          <Callout kind={start.isError ? 'bad' : 'warn'} role={start.isError ? 'alert' : 'status'}>
            {start.isError ? messageOf(start.error) : t('phone.missing')}
          </Callout>
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        {one.state !== 'failed' && (
          <Button disabled={!hasPhone} busy={start.isPending} onClick={() => start.mutate(true)}>
            {t('try')}
          </Button>
        )}
        <Button
          variant="primary"
          disabled={!hasPhone}
          busy={start.isPending}
          onClick={() => start.mutate(false)}
        >
          {one.state === 'failed' ? t('resume') : t('start', { count: one.rows })}
        </Button>
      </div>
    </>
  )
}
