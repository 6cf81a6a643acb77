import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { readStored, writeStored } from '../../api/storage.ts'
import { classes } from '../../kit/classes.ts'

const STORED = 'customer.folded'

type Props = {
  /** Identifies the part in this browser. */
  part: string
  title: string
  level: 2 | 3
  /** Shown at the end of the heading, such as a count. */
  note?: ReactNode
  children: ReactNode
}

/** A part of a panel that folds. The browser remembers folded parts. */
export function Fold({ part, title, level, note, children }: Props) {
  const [isFolded, setFolded] = useState(() => readStored<string[]>(STORED)?.includes(part) ?? false)
  const id = useId()
  const Heading = level === 2 ? 'h2' : 'h3'
  const toggle = () => {
    const others = (readStored<string[]>(STORED) ?? []).filter((name) => name !== part)
    writeStored(STORED, isFolded ? others : [...others, part])
    setFolded(!isFolded)
  }
  return (
    <section aria-label={title} data-part={part} className="border-b px-4 py-2">
      <Heading>
        <button
          type="button"
          aria-expanded={!isFolded}
          aria-controls={id}
          onClick={toggle}
          className="flex min-h-8 w-full items-center gap-1.5 text-start text-sm font-semibold text-ink-2 hover:text-ink-1 pointer-coarse:min-h-11"
        >
          <ChevronDown
            aria-hidden
            size={14}
            className={classes('shrink-0', isFolded && '-rotate-90 rtl:rotate-90')}
          />
          <span className="flex-1">{title}</span>
          {note !== undefined && <span className="font-normal tabular-nums text-ink-3">{note}</span>}
        </button>
      </Heading>
      <div id={id} hidden={isFolded} className="pb-1">
        {children}
      </div>
    </section>
  )
}
