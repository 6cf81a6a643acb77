/** Shows leads: a board by stage or a table, the page of one lead, and submissions that need attention. */
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { lazyComponent, untilLoaded } from '../kit/lazy.tsx'
import { Page } from '../kit/page.tsx'
import { SkeletonRows } from '../kit/states.tsx'
import { taskRows } from '../tasks/queries.ts'
import { LeadList } from './parts/list.tsx'
import { leadRows } from './queries.ts'
import { t } from './texts.ts'

const LeadPage = lazyComponent(() => import('./parts/lead-page.tsx').then((module) => module.LeadPage))
const AttentionPage = lazy(() => untilLoaded(() => import('./parts/attention/page.tsx')))

export const lists = [leadRows, taskRows]

export default function LeadsPage() {
  const { workspace, lead } = useParams({ strict: false }) as { workspace: string; lead?: string }
  // A page has its heading while it loads.
  const loading = (
    <Page title={t('title')}>
      <SkeletonRows />
    </Page>
  )
  if (lead === 'attention')
    return (
      <Suspense fallback={loading}>
        <AttentionPage workspace={workspace} />
      </Suspense>
    )
  return lead ? (
    <LeadPage around={loading} key={lead} id={lead} workspace={workspace} />
  ) : (
    <LeadList workspace={workspace} />
  )
}
