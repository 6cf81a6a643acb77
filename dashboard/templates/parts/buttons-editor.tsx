/** Edits the buttons below a template. */
import { Plus, Trash2 } from 'lucide-react'
import { newId } from '../../api/new-id.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { TextField } from '../../kit/field.tsx'
import { Menu } from '../../kit/menu.tsx'
import { t } from '../texts.ts'
import { BUTTON_TYPES, type DraftButton, placeholdersIn } from './draft.ts'

type RowProps = {
  button: DraftButton
  onChange: (patch: Partial<DraftButton>) => void
  onRemove: () => void
}

function ButtonRow({ button, onChange, onRemove }: RowProps) {
  const { type, text, value, example } = button
  return (
    <li className="flex flex-col gap-3 rounded-md border p-3">
      <div className="flex items-center gap-2">
        <span className="flex-1 text-sm font-medium">{t(`button.${type}`)}</span>
        <IconButton icon={Trash2} size="sm" label={t('button.remove')} onClick={onRemove} />
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        {type !== 'COPY_CODE' && (
          <TextField
            label={t('button.text')}
            value={text}
            onChange={(event) => onChange({ text: (event.target as HTMLInputElement).value })}
          />
        )}
        {type !== 'QUICK_REPLY' && (
          <TextField
            label={t(`button.value.${type}`)}
            hint={type === 'URL' ? t('button.url.hint') : undefined}
            value={value}
            onChange={(event) => onChange({ value: (event.target as HTMLInputElement).value })}
          />
        )}
        {type === 'URL' && placeholdersIn(value).length > 0 && (
          <TextField
            label={t('button.example')}
            value={example}
            onChange={(event) => onChange({ example: (event.target as HTMLInputElement).value })}
          />
        )}
      </div>
    </li>
  )
}

type Props = { buttons: readonly DraftButton[]; onChange: (buttons: DraftButton[]) => void }

export const ButtonsEditor = ({ buttons, onChange }: Props) => (
  <div className="flex flex-col gap-3">
    {buttons.length > 0 && (
      <ul aria-label={t('buttons')} className="flex flex-col gap-3">
        {buttons.map((button) => (
          <ButtonRow
            key={button.key}
            button={button}
            onChange={(patch) =>
              onChange(
                buttons.map((existing) =>
                  existing.key === button.key ? { ...existing, ...patch } : existing,
                ),
              )
            }
            onRemove={() => onChange(buttons.filter((other) => other.key !== button.key))}
          />
        ))}
      </ul>
    )}
    <div>
      <Menu
        trigger={<Button icon={Plus}>{t('button.add')}</Button>}
        entries={BUTTON_TYPES.map((type) => ({
          label: t(`button.${type}`),
          onSelect: () => onChange([...buttons, { key: newId(), type, text: '', value: '', example: '' }]),
        }))}
      />
    </div>
  </div>
)
