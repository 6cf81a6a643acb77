import { X } from 'lucide-react'
import { IconButton } from './button.tsx'
import { Group } from './group.tsx'
import { Select } from './select.tsx'
import { t } from './texts.ts'

type Props = {
  label: string
  choices: readonly { value: string; label: string }[]
  values: readonly string[]
  onChange: (values: string[]) => void
  error?: string | undefined
  hint?: string | undefined
}

/** Chooses several options: removes them one by one, and adds them from a list. */
export function MultiSelect({ label, choices, values, onChange, error, hint }: Props) {
  const left = choices.filter(({ value }) => !values.includes(value))
  const labelOf = (value: string) => choices.find((choice) => choice.value === value)?.label ?? value
  return (
    <Group label={label} error={error} hint={hint}>
      <div className="flex flex-wrap items-center gap-1.5">
        {values.map((value) => (
          <span
            key={value}
            className="flex h-8 max-w-full items-center gap-0.5 rounded-md bg-surface-3 ps-2 text-sm pointer-coarse:h-11"
          >
            <span className="truncate">{labelOf(value)}</span>
            <IconButton
              icon={X}
              size="sm"
              label={t('several.remove', { name: labelOf(value) })}
              onClick={() => onChange(values.filter((other) => other !== value))}
            />
          </span>
        ))}
        {left.length > 0 && (
          <Select
            name={`${label}: ${t('several.add')}`}
            value={null}
            onChange={(value) => onChange([...values, value])}
            choices={left}
            placeholder={t('several.add')}
            className="w-36"
          />
        )}
      </div>
    </Group>
  )
}
