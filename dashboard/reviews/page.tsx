/** Shows reviews and review requests; the chosen list is in the address. */
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Star } from 'lucide-react'
import { useState } from 'react'
import { hasRole, useWorkspaceSession, withModule } from '../api/session.ts'
import { Button } from '../kit/button.tsx'
import { moveFocus } from '../kit/move-focus.ts'
import { Page } from '../kit/page.tsx'
import { Empty } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { useCommands } from '../shell/commands-store.ts'
import { ModulesLink } from '../shell/modules-link.tsx'
import { REVIEWS_COMMANDS } from './commands.ts'
import { RequestReviewDialog, SubjectFinder } from './parts/request-review.tsx'
import { type Filters, RequestsView, ReviewsView } from './parts/views.tsx'
import { type Subject, VIEWS, type View } from './queries.ts'
import { t } from './texts.ts'

export default function ReviewsPage() {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const session = useWorkspaceSession(workspace)
  const { workspace: openWorkspace } = session
  if (openWorkspace.modules.includes('reviews')) return <ReviewsOn workspace={workspace} />
  return (
    <Empty
      icon={Star}
      title={t('off')}
      isPage
      action={<ModulesLink session={session}>{t('off.action')}</ModulesLink>}
    >
      <span className="break-words">
        {t('off.text', { workspace, modules: withModule(openWorkspace, 'reviews') })}
      </span>
    </Empty>
  )
}

function ReviewsOn({ workspace }: { workspace: string }) {
  const { view: requestedView } = useParams({ strict: false }) as { view?: string }
  const filters = useSearch({ strict: false }) as Filters
  const session = useWorkspaceSession(workspace)
  const navigate = useNavigate()
  const [isFinding, setFinding] = useState(false)
  const [subject, setSubject] = useState<Subject>()
  const view = VIEWS.find((candidate) => candidate === requestedView) ?? 'reviews'
  const show = (next: View, search: Filters = {}) =>
    void navigate({
      to: `/w/${workspace}/reviews${next === 'reviews' ? '' : `/${next}`}`,
      search,
    } as never)
  const onFilter = (patch: Filters) =>
    show(view, Object.fromEntries(Object.entries({ ...filters, ...patch }).filter(([, value]) => value)))
  const mayRequest = hasRole(session.member.role, 'agent')
  const openFinder = () => setFinding(true)
  useCommands(
    REVIEWS_COMMANDS,
    {
      mayRequest,
      requestReview: openFinder,
      move: (by) => moveFocus('[data-review]', by),
      showView: show,
      showLowRatings: () => show('reviews', { rating: 'low' }),
    },
    { title: t },
  )
  const requestButton = mayRequest && (
    <Button variant="primary" icon={Star} keys="c" onClick={openFinder}>
      {t('ask')}
    </Button>
  )
  const viewProps = { filters, onFilter, workspace, action: requestButton }
  return (
    <Page
      wide
      title={t('title')}
      description={
        <>
          {t('description')}{' '}
          {hasRole(session.member.role, 'admin') && (
            <Link
              to={`/w/${workspace}/settings/ratings` as never}
              className="text-accent underline hover:no-underline"
            >
              {t('settings')}
            </Link>
          )}
        </>
      }
      actions={requestButton}
    >
      <Tabs
        label={t('views')}
        value={view}
        onChange={(next) => show(next)}
        tabs={VIEWS.map((value) => ({ value, label: t(`view.${value}`) }))}
      />
      {view === 'reviews' ? <ReviewsView {...viewProps} /> : <RequestsView {...viewProps} />}
      <SubjectFinder
        open={isFinding}
        modules={session.workspace.modules}
        onClose={() => setFinding(false)}
        onChoose={setSubject}
      />
      {subject && (
        <RequestReviewDialog key={subject.id} subject={subject} onClose={() => setSubject(undefined)} />
      )}
    </Page>
  )
}
