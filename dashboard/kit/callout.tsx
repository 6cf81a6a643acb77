import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from './classes.ts'

const KINDS: Record<string, { icon: LucideIcon; className: string }> = {
  info: { icon: Info, className: 'bg-surface-3 text-ink-2' },
  good: { icon: CircleCheck, className: 'bg-good-soft text-good' },
  warn: { icon: TriangleAlert, className: 'bg-warn-soft text-warn' },
  bad: { icon: CircleAlert, className: 'bg-bad-soft text-bad' },
}

type Props = {
  kind?: 'info' | 'good' | 'warn' | 'bad'
  children: ReactNode
  action?: ReactNode
  role?: 'alert' | 'status'
}

/** Shows important information in a box. */
export function Callout({ kind = 'info', children, action, role }: Props) {
  const { icon: Icon, className } = KINDS[kind]!
  return (
    <div role={role} className={classes('flex items-center gap-2.5 rounded-md px-3 py-2 text-sm', className)}>
      <Icon aria-hidden size={16} className="shrink-0" />
      <div className="min-w-0 flex-1">{children}</div>
      {action}
    </div>
  )
}

/** Shows an error of a form that belongs to none of its fields. */
export const FormFault = ({ fault }: { fault: { message?: string } | null | undefined }) =>
  fault?.message ? (
    <Callout kind="bad" role="alert">
      {fault.message}
    </Callout>
  ) : null
