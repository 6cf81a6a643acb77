import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'

/** The way from one thing back to the list of all of them. */
export const BackLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <p className="-mt-3 mb-5">
    <Link
      to={to}
      className="inline-flex min-h-6 items-center gap-1 text-sm font-medium text-accent hover:underline"
    >
      <ArrowLeft aria-hidden size={14} className="rtl:rotate-180" />
      {children}
    </Link>
  </p>
)
