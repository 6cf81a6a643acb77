/** Edits one screen of a form, with its fields. */
import { ChevronDown, ChevronUp, Trash2 } from 'lucide-react'
import { IconButton } from '../../kit/button.tsx'
import { TextArea, TextField } from '../../kit/field.tsx'
import { t } from '../texts.ts'
import { AddField } from './add-field.tsx'
import { type DraftField, type DraftScreen, moved, newField } from './draft.ts'
import { FieldEditor } from './field-editor.tsx'

type Props = {
  screen: DraftScreen
  number: number
  isLast: boolean
  /** A field of the screen has the focus. */
  onShow: () => void
  onMove: (by: 1 | -1) => void
  names: ReadonlyMap<string, string>
  /** Returns the error at a path below the screen: `title`, `fields[0].label`. */
  errorOf: (path: string) => string | undefined
  onChange: (patch: Partial<DraftScreen>) => void
  onRemove: (() => void) | undefined
}

const textOf = (event: { target: EventTarget }): string => (event.target as HTMLInputElement).value

export function ScreenEditor(props: Props) {
  const { screen, number, isLast, names, errorOf, onShow, onMove, onChange, onRemove } = props
  const { fields } = screen
  const insert = (field: DraftField, place: number) => onChange({ fields: fields.toSpliced(place, 0, field) })
  return (
    <section
      aria-label={t('screen', { number })}
      onFocus={onShow}
      className="flex flex-col gap-4 rounded-lg border p-4"
    >
      <header className="flex items-center gap-2">
        <h2 className="flex-1 font-semibold">{t('screen', { number })}</h2>
        {onRemove && (
          <>
            <IconButton
              icon={ChevronUp}
              size="sm"
              label={t('screen.up', { number })}
              disabled={number === 1}
              onClick={() => onMove(-1)}
            />
            <IconButton
              icon={ChevronDown}
              size="sm"
              label={t('screen.down', { number })}
              disabled={isLast}
              onClick={() => onMove(1)}
            />
          </>
        )}
        {onRemove && (
          <IconButton icon={Trash2} size="sm" label={t('screen.remove', { number })} onClick={onRemove} />
        )}
      </header>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label={t('screen.title')}
          value={screen.title}
          error={errorOf('title')}
          onChange={(event) => onChange({ title: textOf(event) })}
        />
        <TextField
          label={t('screen.button')}
          value={screen.button}
          error={errorOf('button')}
          onChange={(event) => onChange({ button: textOf(event) })}
        />
      </div>
      <TextArea
        label={t('screen.text')}
        value={screen.text}
        error={errorOf('text') ?? errorOf('fields')}
        onChange={(event) => onChange({ text: event.target.value })}
      />
      <ul className="flex flex-col gap-3">
        {fields.map((field, i) => (
          <FieldEditor
            key={field.key}
            field={field}
            number={i + 1}
            isLast={i === fields.length - 1}
            ownName={names.get(field.key) ?? ''}
            errorOf={(part) => errorOf(`fields[${i}].${part}`)}
            onChange={(patch) =>
              onChange({
                fields: fields.map((other) => (other.key === field.key ? { ...other, ...patch } : other)),
              })
            }
            onMove={(by) => onChange({ fields: moved(fields, i, by) })}
            onCopy={() => insert({ ...field, key: newField().key, name: '' }, i + 1)}
            onRemove={() => onChange({ fields: fields.filter((other) => other.key !== field.key) })}
          />
        ))}
      </ul>
      <div>
        <AddField onAdd={(kind) => insert({ ...newField(), kind }, fields.length)} />
      </div>
    </section>
  )
}
