/** A dialog with a search field, and the matches below it in groups. */
import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { Search } from 'lucide-react'
import type { FinderProps, Found, FoundGroup } from './finder.tsx'
import { Keys } from './keys.tsx'

const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Returns whether every typed word appears in the title or the other words. */
const matches = (found: Found, text: string): boolean => {
  const title = fold(`${found.title} ${found.words ?? ''}`)
  return (
    found.always ||
    fold(text)
      .split(/\s+/)
      .every((word) => title.includes(word))
  )
}

/** The dialog, loaded when it is first opened. */
export function FinderPopup({ open, onClose, ...content }: FinderProps) {
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fade fixed inset-0 z-40 bg-backdrop" />
        <Dialog.Popup
          aria-label={content.title}
          className="pop fixed start-1/2 top-[12vh] z-50 flex max-h-[70vh] w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 flex-col overflow-hidden rounded-lg border border-line bg-surface-1 shadow-pop rtl:translate-x-1/2"
        >
          {open && <Content onClose={onClose} {...content} />}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Content({ onClose, title, placeholder, empty, groups, text, onText }: Omit<FinderProps, 'open'>) {
  return (
    <Autocomplete.Root
      open
      inline
      items={groups}
      value={text}
      onValueChange={onText}
      autoHighlight="always"
      filter={(item, typed) => matches(item as Found, typed)}
      itemToStringValue={(item) => (item as Found).title}
    >
      <div className="flex h-12 shrink-0 items-center gap-3 border-b px-4">
        <Search aria-hidden size={18} className="text-ink-3" />
        <Autocomplete.Input
          aria-label={title}
          placeholder={placeholder}
          className="h-full min-w-0 flex-1 bg-transparent text-md outline-none"
        />
        <Keys keys="Escape" />
      </div>
      <Autocomplete.Empty className="px-4 text-ink-2 not-empty:py-8 not-empty:text-center">
        {empty}
      </Autocomplete.Empty>
      <Autocomplete.List className="pane min-h-0 p-1.5">
        {(group: FoundGroup) => (
          <Autocomplete.Group key={group.value} items={group.items} className="mb-2">
            <Autocomplete.GroupLabel className="px-2.5 py-1.5 text-xs font-medium text-ink-3">
              {group.value}
            </Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(found: Found) => <FoundRow key={found.id} found={found} onClose={onClose} />}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  )
}

function FoundRow({ found, onClose }: { found: Found; onClose: () => void }) {
  const { icon: Icon, title, detail, aside, keys, run } = found
  return (
    <Autocomplete.Item
      value={found}
      onClick={() => {
        onClose()
        // After the dialog has returned the focus.
        requestAnimationFrame(run)
      }}
      className="flex min-h-9 items-center gap-3 rounded-md px-2.5 py-1 data-highlighted:bg-surface-3 pointer-coarse:min-h-11"
    >
      {Icon && <Icon aria-hidden size={16} className="shrink-0 text-ink-3" />}
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <span className="min-w-0 flex-1 truncate">{title}</span>
          {aside && <span className="shrink-0 text-xs text-ink-3">{aside}</span>}
        </span>
        {detail && <span className="block truncate text-sm text-ink-3">{detail}</span>}
      </span>
      {keys && <Keys keys={keys} />}
    </Autocomplete.Item>
  )
}
