/** Edits the parts of reply buttons and of lists. */
import { Plus, Trash2, X } from 'lucide-react'
import { Button, IconButton } from '../../../kit/button.tsx'
import { Counted } from './counted.tsx'
import { type ButtonsPart, emptyRow, emptySection, type ListPart, type ListSection } from './part-shape.ts'
import { type Faults, LIMITS, rowsOf } from './parts.ts'
import { t } from './texts.ts'

export type FieldsProps<Values> = {
  values: Values
  onChange: (values: Values) => void
  faults: Faults
  isTried: boolean
}

const replaced = <Item,>(items: readonly Item[], index: number, item: Item): Item[] =>
  items.map((before, place) => (place === index ? item : before))
const without = <Item,>(items: readonly Item[], index: number): Item[] =>
  items.filter((_, place) => place !== index)

/** Edits the text of the message; heading and footer are optional. */
function textFields<Values extends { header: string; text: string; footer: string }>(
  props: FieldsProps<Values> & { max: { header: number; text: number; footer: number } },
) {
  const { values, onChange, faults, isTried, max } = props
  const field = (name: 'header' | 'text' | 'footer') => ({
    value: values[name],
    max: max[name],
    fault: faults[name],
    isTried,
    onChange: (text: string) => onChange({ ...values, [name]: text }),
  })
  return {
    head: <Counted label={t('part.header')} {...field('header')} />,
    body: <Counted label={t('part.text')} isLong autoFocus {...field('text')} />,
    foot: <Counted label={t('part.footer')} {...field('footer')} />,
  }
}

export function ButtonsFields(props: FieldsProps<ButtonsPart>) {
  const { values, onChange, faults, isTried } = props
  const { buttons } = values
  const max = LIMITS.buttons
  const { head, body, foot } = textFields({ ...props, max })
  const setButtons = (next: string[]) => onChange({ ...values, buttons: next })
  return (
    <>
      {body}
      <fieldset className="flex min-w-0 flex-col gap-3">
        <legend className="sr-only">{t('part.buttons.legend')}</legend>
        {buttons.map((title, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: buttons in their order
          <div key={index} className="flex items-start gap-1">
            <Counted
              className="min-w-0 flex-1"
              label={t('part.button', { number: index + 1 })}
              value={title}
              max={max.button}
              fault={faults[`buttons.${index}`]}
              isTried={isTried}
              onChange={(text) => setButtons(replaced(buttons, index, text))}
            />
            {buttons.length > 1 && (
              <IconButton
                icon={X}
                label={t('part.button.remove', { number: index + 1 })}
                className="mt-6"
                onClick={() => setButtons(without(buttons, index))}
              />
            )}
          </div>
        ))}
        {buttons.length < max.count && (
          <Button icon={Plus} size="sm" className="self-start" onClick={() => setButtons([...buttons, ''])}>
            {t('part.button.add')}
          </Button>
        )}
      </fieldset>
      {head}
      {foot}
    </>
  )
}

export function ListFields(props: FieldsProps<ListPart>) {
  const { values, onChange, faults, isTried } = props
  const { sections } = values
  const max = LIMITS.list
  const { head, body, foot } = textFields({ ...props, max })
  const setSections = (next: ListSection[]) => onChange({ ...values, sections: next })
  const mayAddRow = rowsOf(values).length < max.rows
  return (
    <>
      {body}
      <Counted
        label={t('part.list.button')}
        value={values.button}
        max={max.button}
        fault={faults.button}
        isTried={isTried}
        onChange={(button) => onChange({ ...values, button })}
      />
      {sections.map((section, index) => (
        <SectionFields
          // biome-ignore lint/suspicious/noArrayIndexKey: sections in their order
          key={index}
          section={section}
          index={index}
          isOnly={sections.length === 1}
          mayAddRow={mayAddRow}
          faults={faults}
          isTried={isTried}
          onChange={(next) => setSections(replaced(sections, index, next))}
          onRemove={() => setSections(without(sections, index))}
        />
      ))}
      {mayAddRow && sections.length < max.sections && (
        <Button
          icon={Plus}
          size="sm"
          className="self-start"
          onClick={() => setSections([...sections, emptySection()])}
        >
          {t('part.section.add')}
        </Button>
      )}
      {!mayAddRow && <p className="text-sm text-ink-3">{t('part.rows.max', { max: max.rows })}</p>}
      {head}
      {foot}
    </>
  )
}

type SectionProps = {
  section: ListSection
  index: number
  /** A list with one section needs no title for it. */
  isOnly: boolean
  mayAddRow: boolean
  faults: Faults
  isTried: boolean
  onChange: (section: ListSection) => void
  onRemove: () => void
}

function SectionFields(props: SectionProps) {
  const { section, index, isOnly, mayAddRow, faults, isTried, onChange, onRemove } = props
  const { title, rows } = section
  const path = `sections.${index}`
  const setRows = (next: ListSection['rows']) => onChange({ ...section, rows: next })
  return (
    <fieldset className="flex min-w-0 flex-col gap-3 rounded-md border p-3">
      <legend className="px-1 text-sm font-medium text-ink-2">
        {t('part.section', { number: index + 1 })}
      </legend>
      <div className="flex items-start gap-1">
        <Counted
          className="min-w-0 flex-1"
          label={t(isOnly ? 'part.section.title.optional' : 'part.section.title')}
          value={title}
          max={LIMITS.list.section}
          fault={faults[`${path}.title`]}
          isTried={isTried}
          onChange={(text) => onChange({ ...section, title: text })}
        />
        {!isOnly && (
          <IconButton
            icon={Trash2}
            label={t('part.section.remove', { number: index + 1 })}
            className="mt-6"
            onClick={onRemove}
          />
        )}
      </div>
      {rows.map((row, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows in their order
        <div key={place} className="flex items-start gap-1">
          <div className="grid min-w-0 flex-1 gap-2 sm:grid-cols-2">
            <Counted
              label={t('part.row', { number: place + 1 })}
              value={row.title}
              max={LIMITS.list.row}
              fault={faults[`${path}.rows.${place}.title`]}
              isTried={isTried}
              onChange={(text) => setRows(replaced(rows, place, { ...row, title: text }))}
            />
            <Counted
              label={t('part.row.description')}
              value={row.description}
              max={LIMITS.list.description}
              fault={faults[`${path}.rows.${place}.description`]}
              isTried={isTried}
              onChange={(text) => setRows(replaced(rows, place, { ...row, description: text }))}
            />
          </div>
          {rows.length > 1 && (
            <IconButton
              icon={X}
              label={t('part.row.remove', { number: place + 1 })}
              className="mt-6"
              onClick={() => setRows(without(rows, place))}
            />
          )}
        </div>
      ))}
      {mayAddRow && (
        <Button icon={Plus} size="sm" className="self-start" onClick={() => setRows([...rows, emptyRow()])}>
          {t('part.row.add')}
        </Button>
      )}
    </fieldset>
  )
}
