import { CircleAlert, TriangleAlert } from 'lucide-react'
import type { Finding } from './findings.ts'

/** Shows the findings of a part, below it. */
export const FindingList = ({ findings }: { findings: readonly Finding[] }) =>
  findings.length === 0 ? null : (
    <ul className="flex flex-col gap-1 text-sm">
      {findings.map(({ kind, message, path }) => {
        const Icon = kind === 'bad' ? CircleAlert : TriangleAlert
        return (
          <li
            key={`${path} ${message}`}
            className={kind === 'bad' ? 'flex gap-1.5 text-bad' : 'flex gap-1.5 text-warn'}
          >
            <Icon aria-hidden size={14} className="mt-0.5 shrink-0" />
            <span>{message}</span>
          </li>
        )
      })}
    </ul>
  )
