/** Shows reviews and review requests; the chosen list is in the address. */
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Star } from 'lucide-react'
import { useState } from 'react'
import { reaches, useHere, withModule } from '../api/session.ts'
import { Button } from '../kit/button.tsx'
import { moveFocus } from '../kit/move-focus.ts'
import { Page } from '../kit/page.tsx'
import { Empty } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { useCommands } from '../shell/commands-store.ts'
import { REVIEWS_COMMANDS } from './commands.ts'
import { AskDialog, SubjectFinder } from './parts/ask.tsx'
import { type Asked, RequestsView, ReviewsView } from './parts/views.tsx'
import { type Subject, VIEWS, type View } from './queries.ts'
import { t } from './words.ts'

export default function ReviewsPage() {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const { workspace: openWorkspace } = useHere(workspace)
  if (openWorkspace.modules.includes('reviews')) return <ReviewsOn workspace={workspace} />
  return (
    <Empty icon={Star} title={t('off')} isPage>
      <span className="break-words">
        {t('off.text', { workspace, modules: withModule(openWorkspace, 'reviews') })}
      </span>
    </Empty>
  )
}

function ReviewsOn({ workspace }: { workspace: string }) {
  const { view: requestedView } = useParams({ strict: false }) as { view?: string }
  const filters = useSearch({ strict: false }) as Asked
  const session = useHere(workspace)
  const navigate = useNavigate()
  const [isFinding, setFinding] = useState(false)
  const [subject, setSubject] = useState<Subject>()
  const view = VIEWS.find((candidate) => candidate === requestedView) ?? 'reviews'
  const show = (next: View, search: Asked = {}) =>
    void navigate({
      to: `/w/${workspace}/reviews${next === 'reviews' ? '' : `/${next}`}`,
      search,
    } as never)
  const narrow = (patch: Asked) =>
    show(view, Object.fromEntries(Object.entries({ ...filters, ...patch }).filter(([, value]) => value)))
  const mayAsk = reaches(session.member.role, 'agent')
  const openFinder = () => setFinding(true)
  useCommands(
    REVIEWS_COMMANDS,
    {
      mayAsk,
      ask: openFinder,
      move: (by) => moveFocus('[data-review]', by),
      show,
      showLow: () => show('reviews', { rating: 'low' }),
    },
    { title: t },
  )
  const askButton = mayAsk && (
    <Button variant="primary" icon={Star} keys="c" onClick={openFinder}>
      {t('ask')}
    </Button>
  )
  const viewProps = { filters, narrow, workspace, action: askButton }
  return (
    <Page wide title={t('title')} description={t('description')} actions={askButton}>
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
      {subject && <AskDialog key={subject.id} subject={subject} onClose={() => setSubject(undefined)} />}
    </Page>
  )
}
