/** Edits one field of a form. */
import { ChevronDown, ChevronUp, Copy, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../kit/button.tsx'
import { classes } from '../../kit/classes.ts'
import { TextArea, TextField } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { Checkbox } from '../../kit/switch.tsx'
import { t } from '../texts.ts'
import { type DraftField, hasHelp, hasOptions, KINDS, type Kind } from './draft.ts'
import { KIND_ICONS } from './kind-icons.ts'

type Props = {
  field: DraftField
  number: number
  isLast: boolean
  /** The name in the answers, if none is typed. */
  ownName: string
  errorOf: (part: string) => string | undefined
  onChange: (patch: Partial<DraftField>) => void
  onMove: (by: number) => void
  onCopy: () => void
  onRemove: (() => void) | undefined
}

const PARTS = ['label', 'kind', 'options', 'help', 'name'] as const

const textOf = (event: { target: EventTarget }): string => (event.target as HTMLInputElement).value

export function FieldEditor(props: Props) {
  const { field, number, isLast, ownName, errorOf, onChange, onMove, onCopy, onRemove } = props
  const label = field.label.trim() || t('field', { number })
  // A stored field is closed at first, so that a long form has an overview.
  const [isOpened, setOpened] = useState(field.label === '')
  const hasError = PARTS.some((part) => errorOf(part) !== undefined)
  const isOpen = isOpened || hasError
  const Icon = KIND_ICONS[field.kind]
  return (
    <li className="flex flex-col gap-3 rounded-md border bg-surface-1 p-3">
      <div className="flex items-center gap-1">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={t('field.open', { label })}
          onClick={() => setOpened(!isOpen)}
          className="flex min-h-7 min-w-0 flex-1 items-center gap-2 rounded-md text-start text-sm pointer-coarse:min-h-11"
        >
          <ChevronDown
            aria-hidden
            size={14}
            className={classes('shrink-0 text-ink-3', !isOpen && '-rotate-90 rtl:rotate-90')}
          />
          <Icon aria-hidden size={15} className="shrink-0 text-ink-3" />
          <span dir="auto" className="min-w-0 truncate font-medium">
            {label}
          </span>
          {!isOpen && (
            <span className="ms-auto shrink-0 pe-1 text-ink-3 max-sm:hidden">
              {t(`kind.${field.kind}`)}
              {field.isRequired && ` · ${t('field.required')}`}
            </span>
          )}
        </button>
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
        <IconButton icon={Copy} size="sm" label={t('field.copy', { label })} onClick={onCopy} />
        <IconButton
          icon={Trash2}
          size="sm"
          label={t('field.remove', { label })}
          disabled={onRemove === undefined}
          onClick={onRemove}
        />
      </div>
      {isOpen && (
        <>
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
        </>
      )}
    </li>
  )
}
