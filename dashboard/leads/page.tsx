/** Shows leads: a board by stage or a table, the page of one lead, and submissions that need attention. */
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { untilLoaded } from '../kit/lazy.tsx'
import { SkeletonRows } from '../kit/states.tsx'
import { taskRows } from '../tasks/queries.ts'
import { LeadPage } from './parts/lead-page.tsx'
import { LeadList } from './parts/list.tsx'
import { leadRows } from './queries.ts'

const AttentionPage = lazy(() => untilLoaded(() => import('./parts/attention/page.tsx')))

export const lists = [leadRows, taskRows]

export default function LeadsPage() {
  const { workspace, lead } = useParams({ strict: false }) as { workspace: string; lead?: string }
  if (lead === 'attention')
    return (
      <Suspense fallback={<SkeletonRows />}>
        <AttentionPage workspace={workspace} />
      </Suspense>
    )
  return lead ? <LeadPage key={lead} id={lead} workspace={workspace} /> : <LeadList workspace={workspace} />
}
