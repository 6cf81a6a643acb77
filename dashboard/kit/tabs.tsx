import { Tabs as Base } from '@base-ui/react/tabs'
import { type ReactNode, useEffect, useRef } from 'react'

export type Tab<Value extends string> = { value: Value; label: ReactNode; count?: number | undefined }

type Props<Value extends string> = {
  tabs: readonly Tab<Value>[]
  value: Value
  onChange: (value: Value) => void
  label: string
  /** The content of the chosen tab. */
  children?: ReactNode
  className?: string
}

/** Tabs for views of the same data. */
export function Tabs<Value extends string>({
  tabs,
  value,
  onChange,
  label,
  children,
  className,
}: Props<Value>) {
  const list = useRef<HTMLDivElement>(null)
  const counts = tabs.map(({ count }) => count ?? '').join()
  // Scrolls to the chosen tab, if there are more tabs than fit.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another one was chosen, or their widths changed
  useEffect(() => {
    const row = list.current
    const tab = row?.querySelector<HTMLElement>('[aria-selected="true"]')
    if (!row || !tab) return
    const [start, end] = [tab.offsetLeft, tab.offsetLeft + tab.offsetWidth]
    if (start < row.scrollLeft || end > row.scrollLeft + row.clientWidth)
      row.scrollLeft = start - (row.clientWidth - tab.offsetWidth) / 2
  }, [value, tabs.length, counts])
  return (
    <Base.Root value={value} onValueChange={onChange} className={className}>
      <Base.List
        ref={list}
        aria-label={label}
        className="scroll-thin relative flex gap-1 overflow-x-auto border-b px-2"
      >
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className="flex h-10 shrink-0 items-center gap-1.5 px-2 font-medium text-ink-2 hover:text-ink-1 focus-visible:-outline-offset-2 data-active:text-accent data-selected:text-accent pointer-coarse:h-11 pointer-coarse:min-w-11 pointer-coarse:justify-center"
          >
            {tab.label}
            {tab.count !== undefined && tab.count > 0 && (
              <span className="rounded-full bg-surface-3 px-1.5 text-xs text-ink-2 tabular-nums">
                {tab.count}
              </span>
            )}
          </Base.Tab>
        ))}
        <Base.Indicator className="absolute bottom-0 left-(--active-tab-left) h-0.5 w-(--active-tab-width) rounded-full bg-accent transition-all duration-150" />
      </Base.List>
      {children !== undefined && (
        <Base.Panel value={value} className="contents">
          {children}
        </Base.Panel>
      )}
    </Base.Root>
  )
}
