import { Menu as Base } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import { Fragment } from 'react'
import { changedKeys } from './changed-keys.ts'
import { classes } from './classes.ts'
import { Keys } from './keys.tsx'
import type { ContextMenuProps, MenuEntry, MenuProps } from './menu.tsx'
import { useButtonFocus } from './return-focus.ts'

const ITEM =
  'flex min-h-8 items-center gap-2 rounded-md px-2 py-1 data-highlighted:bg-surface-3 data-disabled:opacity-50 pointer-coarse:min-h-11'

/** On a phone, a sheet ignores the place next to its button. */
const SHEET_PLACE = 'max-sm:fixed! max-sm:inset-x-0! max-sm:top-auto! max-sm:bottom-0! max-sm:transform-none!'
const SHEET =
  'max-sm:max-h-[80dvh] max-sm:w-dvw max-sm:rounded-b-none max-sm:pb-[max(0.5rem,env(safe-area-inset-bottom))]'
const POPUP =
  'pop pane max-h-(--available-height) min-w-48 rounded-lg border border-line bg-surface-1 p-1 shadow-pop'

const Entries = ({ entries }: Pick<MenuProps, 'entries'>) =>
  entries.map((entry, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: entries are written down in their order
    <Fragment key={index}>{entryOf(entry)}</Fragment>
  ))

/** A menu that was requested by a click: it is open when it is first drawn. */
export function MenuPopup({ trigger, entries, align = 'start', isSheet }: MenuProps) {
  const { popup, button, finalFocus } = useButtonFocus()
  return (
    <Base.Root defaultOpen>
      <Base.Trigger ref={button} render={trigger} />
      <Base.Portal>
        {isSheet && <Base.Backdrop className="fade fixed inset-0 z-40 bg-backdrop sm:hidden" />}
        <Base.Positioner sideOffset={4} align={align} className={classes('z-50', isSheet && SHEET_PLACE)}>
          <Base.Popup ref={popup} finalFocus={finalFocus} className={classes(POPUP, isSheet && SHEET)}>
            <Entries entries={entries} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/** A menu beside an element that was clicked with the right button; the element gets the focus back. */
export function ContextMenuPopup({ anchor, label, entries, onClose }: ContextMenuProps) {
  return (
    <Base.Root defaultOpen modal={false} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Positioner anchor={anchor} side="bottom" sideOffset={4} align="start" className="z-50">
          <Base.Popup aria-label={label} finalFocus={() => anchor} className={POPUP}>
            <Entries entries={entries} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

function entryOf(entry: MenuEntry) {
  if (entry === 'line') return <Base.Separator className="mx-1 my-1 h-px bg-line" />
  if ('heading' in entry)
    return <div className="px-2 pt-2 pb-1 text-xs font-medium text-ink-3">{entry.heading}</div>
  const { label, onSelect, icon: Icon, keys, danger, disabled, checked, closes } = entry
  const inner = (
    <>
      {Icon && <Icon aria-hidden size={16} className={danger ? '' : 'text-ink-3'} />}
      <span className="flex-1">{label}</span>
      {checked && <Check aria-hidden size={15} />}
      {keys && <Keys keys={changedKeys(keys)} />}
    </>
  )
  const className = classes(ITEM, danger && 'text-bad')
  return checked === undefined ? (
    <Base.Item onClick={onSelect} disabled={disabled} className={className}>
      {inner}
    </Base.Item>
  ) : (
    <Base.CheckboxItem
      checked={checked}
      onCheckedChange={onSelect}
      closeOnClick={closes ?? false}
      disabled={disabled}
      className={className}
    >
      {inner}
    </Base.CheckboxItem>
  )
}
