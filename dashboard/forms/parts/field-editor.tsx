/** Edits one field of a form. */
import { ChevronDown, ChevronUp, Trash2 } from 'lucide-react'
import { IconButton } from '../../kit/button.tsx'
import { TextArea, TextField } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { Checkbox } from '../../kit/switch.tsx'
import { t } from '../texts.ts'
import { type DraftField, hasHelp, hasOptions, KINDS, type Kind } from './draft.ts'

type Props = {
  field: DraftField
  number: number
  isLast: boolean
  /** The name in the answers, if none is typed. */
  ownName: string
  errorOf: (part: string) => string | undefined
  onChange: (patch: Partial<DraftField>) => void
  onMove: (by: number) => void
  onRemove: (() => void) | undefined
}

const textOf = (event: { target: EventTarget }): string => (event.target as HTMLInputElement).value

export function FieldEditor(props: Props) {
  const { field, number, isLast, ownName, errorOf, onChange, onMove, onRemove } = props
  const label = field.label.trim() || t('field', { number })
  return (
    <li className="flex flex-col gap-3 rounded-md border bg-surface-1 p-3">
      <div className="flex items-center gap-1">
        <span dir="auto" className="min-w-0 flex-1 truncate text-sm font-medium">
          {label}
        </span>
        <IconButton
          icon={ChevronUp}
          size="sm"
          label={t('field.up', { label })}
          disabled={number === 1}
          onClick={() => onMove(-1)}
        />
        <IconButton
          icon={ChevronDown}
          size="sm"
          label={t('field.down', { label })}
          disabled={isLast}
          onClick={() => onMove(1)}
        />
        <IconButton
          icon={Trash2}
          size="sm"
          label={t('field.remove', { label })}
          disabled={onRemove === undefined}
          onClick={onRemove}
        />
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label={t('field.label')}
          value={field.label}
          error={errorOf('label')}
          onChange={(event) => onChange({ label: textOf(event) })}
        />
        <SelectField<Kind>
          label={t('field.kind')}
          value={field.kind}
          onChange={(kind) => onChange({ kind })}
          choices={KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
        />
        {hasOptions(field.kind) && (
          <TextArea
            label={t('field.options')}
            hint={t('field.options.hint')}
            value={field.options}
            error={errorOf('options')}
            onChange={(event) => onChange({ options: event.target.value })}
          />
        )}
        {hasHelp(field.kind) && (
          <TextField
            label={t('field.help')}
            value={field.help}
            error={errorOf('help')}
            onChange={(event) => onChange({ help: textOf(event) })}
          />
        )}
        <TextField
          label={t('field.name')}
          value={field.name}
          placeholder={ownName}
          error={errorOf('name')}
          onChange={(event) => onChange({ name: textOf(event) })}
        />
      </div>
      <Checkbox
        label={t('field.required')}
        checked={field.isRequired}
        onChange={(isRequired) => onChange({ isRequired })}
      />
    </li>
  )
}
