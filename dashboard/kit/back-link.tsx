import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from './classes.ts'

/** A link from an item back to the list of all items. */
export const BackLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <p className="-mt-3 mb-5">
    <Link
      to={to}
      className="inline-flex min-h-6 items-center pointer-coarse:min-h-11 gap-1 text-sm font-medium text-accent hover:underline"
    >
      <ArrowLeft aria-hidden size={14} />
      {children}
    </Link>
  </p>
)

type BackToListProps = {
  to: string
  /** The filters of the list; true: those of this address. */
  search?: object | true
  label: string
  /** Hides the link where the list is next to the item. */
  className?: string
}

/** A link back to the list, which wide screens show next to the item. */
export const BackToList = ({ to, search, label, className = 'md:hidden' }: BackToListProps) => (
  <Link
    to={to}
    search={search as never}
    aria-label={label}
    className={classes(
      '-ms-2 flex size-11 items-center justify-center rounded-md text-ink-2 hover:bg-surface-3',
      className,
    )}
  >
    <ArrowLeft aria-hidden size={18} />
  </Link>
)
