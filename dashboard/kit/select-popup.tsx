import { Select as Base } from '@base-ui/react/select'
import { Check, ChevronDown } from 'lucide-react'
import { useButtonFocus } from './return-focus.ts'
import { labelOf, lookOf, type SelectProps } from './select.tsx'

/** A select that was requested by a click: it is open when it is first drawn. */
export function SelectPopup<Value extends string>(props: SelectProps<Value>) {
  const { choices, value, onChange, name, disabled } = props
  const { popup, button, finalFocus } = useButtonFocus()
  return (
    <Base.Root
      value={value}
      onValueChange={(chosen) => chosen !== null && onChange(chosen)}
      disabled={disabled}
      defaultOpen
    >
      <Base.Trigger ref={button} aria-label={name} className={lookOf(props)}>
        <Base.Value className="truncate">{(selected: Value | null) => labelOf(props, selected)}</Base.Value>
        <Base.Icon>
          <ChevronDown aria-hidden size={14} className="text-ink-3" />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-50">
          <Base.Popup
            ref={popup}
            finalFocus={finalFocus}
            className="pop pane max-h-(--available-height) min-w-(--anchor-width) rounded-lg border border-line bg-surface-1 p-1 shadow-pop"
          >
            {choices.map((choice) => (
              <Base.Item
                key={choice.value}
                value={choice.value}
                disabled={choice.disabled}
                className="flex min-h-8 items-center gap-2 rounded-md px-2 py-1 data-highlighted:bg-surface-3 data-disabled:opacity-50 pointer-coarse:min-h-11"
              >
                <span className="w-4 shrink-0">
                  <Base.ItemIndicator>
                    <Check aria-hidden size={15} />
                  </Base.ItemIndicator>
                </span>
                <Base.ItemText className="flex-1">{choice.label}</Base.ItemText>
                {choice.hint && <span className="text-xs text-ink-3">{choice.hint}</span>}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
