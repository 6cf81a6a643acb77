import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'

/** A link from an item back to the list of all items. */
export const BackLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <p className="-mt-3 mb-5">
    <Link
      to={to}
      className="inline-flex min-h-6 items-center gap-1 text-sm font-medium text-accent hover:underline"
    >
      <ArrowLeft aria-hidden size={14} />
      {children}
    </Link>
  </p>
)

/**
 * A link back to the list, which wide screens show next to the item. `search` true: the filters of the list
 * stay.
 */
export const BackToList = ({ to, search, label }: { to: string; search?: true; label: string }) => (
  <Link
    to={to}
    search={search}
    aria-label={label}
    className="-ms-2 flex size-11 items-center justify-center rounded-md text-ink-2 hover:bg-surface-3 md:hidden"
  >
    <ArrowLeft aria-hidden size={18} />
  </Link>
)
