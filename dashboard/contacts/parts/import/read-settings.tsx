/** Chooses how the file is read: the heading line, and the country of its numbers. */
import { SelectField } from '../../../kit/select.tsx'
import { encodingName } from './encodings.ts'
import type { Preview } from './queries.ts'
import { t } from './texts.ts'

const NONE = 'none'
const MAX_CELLS = 4

type Props = {
  preview: Preview | undefined
  encoding: string | null
  onHeading: (line: number | null) => void
  onCountry: (column: string | null) => void
}

const formatCells = (cells: readonly string[]): string =>
  cells
    .filter((cell) => cell !== '')
    .slice(0, MAX_CELLS)
    .join(', ')

/** Column names may be any text, so the value is the column's index. */
const choiceOf = (place: number): string => `column ${place}`

export function ReadSettings({ preview, encoding, onHeading, onCountry }: Props) {
  const { lines = [], columns = [], headingLine = null, countryColumn = null } = preview ?? {}
  // vCard files name their columns themselves.
  const canChooseHeading = lines.length > 0 && lines[0]!.line > 0
  return (
    <div className="mb-4 flex flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        {canChooseHeading && (
          <SelectField
            label={t('heading')}
            value={headingLine === null ? NONE : String(headingLine)}
            onChange={(next) => onHeading(next === NONE ? null : Number(next))}
            choices={[
              ...lines.map(({ line, cells }) => ({
                value: String(line),
                label: t('heading.line', { line: String(line), cells: formatCells(cells) }),
              })),
              { value: NONE, label: t('heading.none') },
            ]}
          />
        )}
        <SelectField
          label={t('country')}
          hint={t('country.hint')}
          value={countryColumn === null ? NONE : choiceOf(columns.indexOf(countryColumn))}
          onChange={(next) => onCountry(columns.find((_, place) => choiceOf(place) === next) ?? null)}
          choices={[
            { value: NONE, label: t('country.workspace') },
            ...columns.map((column, place) => ({
              value: choiceOf(place),
              label: t('country.column', { column }),
            })),
          ]}
        />
      </div>
      {encoding !== null && (
        <p className="text-sm text-ink-2">{t('encoding.read', { name: encodingName(encoding) })}</p>
      )}
    </div>
  )
}
