/** Maps the columns with samples of the file and a preview; then starts the dry run, and the import. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryClient } from '../../../api/cache.ts'
import { messageOf } from '../../../api/errors.ts'
import { Button } from '../../../kit/button.tsx'
import { Callout } from '../../../kit/callout.tsx'
import { TextField } from '../../../kit/field.tsx'
import { Section } from '../../../kit/page.tsx'
import { SelectField } from '../../../kit/select.tsx'
import { useDebounced } from '../../../kit/use-debounced.ts'
import { Columns, type Format, type Mapping } from './columns.tsx'
import { Outcome } from './outcome.tsx'
import { PreviewRows } from './preview-rows.tsx'
import { type Import, type Kind, type Preview, previewQuery, type Start, startImport } from './queries.ts'
import { ReadSettings } from './read-settings.tsx'
import { t } from './texts.ts'

const CHOOSING_MS = 250
const PHONES = ['phone', 'phone2', 'phone3']

const withoutEmpty = (texts: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== ''))

const serialize = (texts: Record<string, string> | null | undefined): string =>
  JSON.stringify(Object.entries(texts ?? {}).sort())
const isSame = (...[a, b]: Parameters<typeof serialize>[0][]): boolean => serialize(a) === serialize(b)

/** The columns of the file, named by its heading line. */
type File = Pick<Preview, 'columns' | 'sample' | 'guess' | 'headingLine'>

/** Holds the choices for a file. */
function useChoices(importJob: Import, requestedKind: Kind) {
  const [kind, setKind] = useState<Kind>(importJob.kind ?? requestedKind)
  const [file, setFile] = useState<File>(importJob)
  const [mapping, setMapping] = useState<Mapping>(importJob.mapping ?? importJob.guess[kind])
  const [constants, setConstants] = useState<Record<string, string>>(importJob.constants ?? {})
  const [countryColumn, setCountryColumn] = useState<string | null>(importJob.countryColumn)
  const [formats, setFormats] = useState(importJob.formats as Record<string, Format>)
  const order: Start = {
    kind,
    mapping,
    constants: withoutEmpty(constants),
    headingLine: file.headingLine,
    countryColumn,
    formats,
  }
  const heading = useMutation({
    mutationFn: (headingLine: number | null) =>
      queryClient.fetchQuery(previewQuery(importJob.id, { kind, headingLine })),
    onSuccess: (preview) => {
      setFile(preview)
      setMapping(preview.guess[kind])
      setCountryColumn(preview.countryColumn)
      setFormats({})
    },
  })
  return {
    order,
    file,
    heading,
    chooseKind(next: Kind) {
      setKind(next)
      setMapping(file.guess[next])
    },
    setMapping,
    setCountryColumn,
    chooseFormat: (column: string, format: Format) => setFormats({ ...formats, [column]: format }),
    setConstant: (field: string) => (text: string) => setConstants({ ...constants, [field]: text }),
    constants,
  }
}

/** Returns whether the last dry run used these choices. */
const isTriedAs = (
  importJob: Import,
  { kind, mapping, constants, headingLine, countryColumn, formats }: Start,
): boolean =>
  importJob.state === 'checked' &&
  importJob.kind === kind &&
  importJob.headingLine === headingLine &&
  importJob.countryColumn === countryColumn &&
  isSame(importJob.mapping, mapping) &&
  isSame(importJob.constants, constants) &&
  isSame(importJob.formats, formats)

export function MappingForm({ importJob, requestedKind }: { importJob: Import; requestedKind: Kind }) {
  const choices = useChoices(importJob, requestedKind)
  const { order, file, heading, constants } = choices
  const { kind, mapping } = order
  const { headingLine, countryColumn, formats } = order
  const previewRequest = { kind, mapping, headingLine, countryColumn, formats, constants: order.constants }
  // The object is new on every drawing, so its content is compared.
  const settled = useDebounced(JSON.stringify(previewRequest), CHOOSING_MS)
  const { data: preview, error } = useQuery(
    previewQuery(importJob.id, JSON.parse(settled) as typeof previewRequest),
  )
  const start = useMutation({
    mutationFn: (dryRun: boolean) => startImport(importJob.id, { ...order, dryRun }),
  })
  const hasPhone = Object.values(mapping).some((field) => PHONES.includes(field))
  const fault = [start.error, heading.error, error].find((candidate) => candidate !== null)
  return (
    <>
      {isTriedAs(importJob, order) && <Outcome importJob={importJob} isDryRun />}
      <Section title={t('reading')}>
        <ReadSettings
          preview={preview}
          encoding={importJob.encoding}
          onHeading={(line) => heading.mutate(line)}
          onCountry={choices.setCountryColumn}
        />
      </Section>
      <Section title={t('mapping')} description={t('mapping.text')}>
        <SelectField
          label={t('field.kind')}
          value={kind}
          onChange={choices.chooseKind}
          choices={(['contacts', 'leads'] as const).map((value) => ({ value, label: t(`kind.${value}`) }))}
          className="mb-4 max-w-56"
        />
        <Columns
          file={file}
          kind={kind}
          mapping={mapping}
          onChange={choices.setMapping}
          read={preview?.formats ?? {}}
          onFormat={choices.chooseFormat}
        />
      </Section>
      {preview && hasPhone && <PreviewRows preview={preview} mapping={mapping} />}
      <Section title={t('for.all')}>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={t('tags')}
            hint={t('tags.hint')}
            value={constants.tags ?? ''}
            onChange={(event) => choices.setConstant('tags')(event.target.value)}
          />
          {kind === 'leads' && (
            <TextField
              label={t('source')}
              hint={t('source.hint')}
              value={constants.source ?? ''}
              onChange={(event) => choices.setConstant('source')(event.target.value)}
            />
          )}
        </div>
      </Section>
      {(fault || !hasPhone) && (
        <div className="mb-4">
          <Callout kind={fault ? 'bad' : 'warn'} role={fault ? 'alert' : 'status'}>
            {fault ? messageOf(fault) : t('phone.missing')}
          </Callout>
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        {importJob.state !== 'failed' && (
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
          {importJob.state === 'failed'
            ? t('resume')
            : t('start', { count: preview?.rowCount ?? importJob.rows })}
        </Button>
      </div>
    </>
  )
}
