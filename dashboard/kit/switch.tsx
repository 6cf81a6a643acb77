import { Checkbox as BaseCheckbox } from '@base-ui/react/checkbox'
import { Switch as BaseSwitch } from '@base-ui/react/switch'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'

type Props = { label: ReactNode; checked: boolean; onChange: (checked: boolean) => void; disabled?: boolean }

/** A switch that takes effect immediately. */
export function Switch({ label, checked, onChange, disabled }: Props) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the switch inside brings its own input
    <label className="flex min-h-9 items-center justify-between gap-3 pointer-coarse:min-h-11">
      <span>{label}</span>
      <BaseSwitch.Root
        checked={checked}
        onCheckedChange={onChange}
        disabled={disabled}
        className="flex h-6 w-10 shrink-0 items-center rounded-full border border-edge bg-surface-3 px-0.5 transition-colors duration-120 data-checked:border-accent data-checked:bg-accent data-disabled:opacity-50"
      >
        <BaseSwitch.Thumb className="size-4.5 rounded-full bg-ink-3 transition-transform duration-120 data-checked:translate-x-4 data-checked:bg-on-accent rtl:data-checked:-translate-x-4" />
      </BaseSwitch.Root>
    </label>
  )
}

/** One of several options that may be on. */
export function Checkbox({ label, checked, onChange, disabled }: Props) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the box inside brings its own input
    <label className="flex min-h-8 items-center gap-2 pointer-coarse:min-h-11 pointer-coarse:min-w-11">
      <BaseCheckbox.Root
        checked={checked}
        onCheckedChange={onChange}
        disabled={disabled}
        className="flex size-5 shrink-0 items-center justify-center rounded-sm border border-edge bg-surface-1 data-checked:border-accent data-checked:bg-accent data-disabled:opacity-50"
      >
        <BaseCheckbox.Indicator>
          <Check aria-hidden size={14} className="text-on-accent" />
        </BaseCheckbox.Indicator>
      </BaseCheckbox.Root>
      <span>{label}</span>
    </label>
  )
}
