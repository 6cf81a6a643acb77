import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

type Props = {
  /** The path of the record below the workspace. Left out: the record has no page. */
  to?: string
  /** The address of the record outside of Parley. */
  href?: string | null
  search?: Record<string, string>
  name: ReactNode
  badge?: ReactNode
  /** Shown below the name, such as a day. */
  note?: ReactNode
  end?: ReactNode
}

const LINK = 'truncate font-medium text-accent hover:underline pointer-coarse:py-2'

/** Shows one record of a customer as a link, with its state. */
export function Record({ to, href, search, name, badge, note, end }: Props) {
  const title =
    to !== undefined ? (
      <Link to={to as never} search={(search ?? {}) as never} className={LINK}>
        {name}
      </Link>
    ) : href ? (
      <a href={href} target="_blank" rel="noreferrer" className={LINK}>
        {name}
      </a>
    ) : (
      <span className="truncate font-medium">{name}</span>
    )
  return (
    <li className="flex min-h-9 items-center gap-2 py-1">
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="flex min-w-0" dir="auto">
          {title}
        </span>
        {note && <span className="truncate text-sm text-ink-3">{note}</span>}
      </span>
      {badge}
      {end !== undefined && <span className="shrink-0 text-sm tabular-nums">{end}</span>}
    </li>
  )
}
