/** Shows auto-replies: to a keyword, to a customer's first message, and outside of business hours. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { MessageSquareReply, Plus } from 'lucide-react'
import { useState } from 'react'
import type { AutoReply } from '../../sdk/api.ts'
import { hasRole, useWorkspaceSession } from '../api/session.ts'
import { Button } from '../kit/button.tsx'
import { Callout } from '../kit/callout.tsx'
import { Confirm } from '../kit/dialog.tsx'
import { lazyComponent } from '../kit/lazy.tsx'
import { Page } from '../kit/page.tsx'
import { Empty, Failed, SkeletonRows } from '../kit/states.tsx'
import { notify } from '../kit/toasts.tsx'
import { businessHoursQuery } from '../settings/queries.ts'
import { useCommands } from '../shell/commands-store.ts'
import { notifyError } from '../shell/notify-error.ts'
import { AUTO_REPLIES_COMMANDS } from './commands.ts'
import { AnswerPreview } from './parts/answer-preview.tsx'
import { AutoReplyList, nameOf } from './parts/list.tsx'
import { autoRepliesQuery, countsQuery, type Kind, removeAutoReply } from './queries.ts'
import { t } from './texts.ts'

const AutoReplyForm = lazyComponent(() => import('./parts/form.tsx').then((module) => module.AutoReplyForm))

/** Explains which hours away messages use, and links to their settings. */
function HoursHint({ workspace }: { workspace: string }) {
  const { data: hours } = useQuery(businessHoursQuery(workspace))
  const isUnset = hours?.updatedAt === null
  return (
    <Callout
      kind={isUnset ? 'warn' : 'info'}
      action={
        <Link
          to={`/w/${workspace}/settings/hours` as string}
          className="shrink-0 font-medium underline hover:no-underline"
        >
          {t('hours.open')}
        </Link>
      }
    >
      {t(isUnset ? 'hours.none' : 'hours')}
    </Callout>
  )
}

export default function AutoRepliesPage() {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const session = useWorkspaceSession(workspace)
  const navigate = useNavigate()
  const { data: replies, error, refetch } = useQuery(autoRepliesQuery)
  const { data: counts } = useQuery(countsQuery)
  const [editing, setEditing] = useState<{ reply: AutoReply | undefined }>()
  const [leaving, setLeaving] = useState<AutoReply>()
  const mayEdit = hasRole(session.member.role, 'admin')
  const openForm = () => setEditing({ reply: undefined })
  useCommands(
    AUTO_REPLIES_COMMANDS,
    {
      mayWrite: mayEdit,
      create: openForm,
      openHours: () => void navigate({ to: `/w/${workspace}/settings/hours` } as never),
    },
    { title: t },
  )
  const removal = useMutation({
    mutationFn: (id: string) => removeAutoReply(id),
    onSuccess: () => {
      setLeaving(undefined)
      notify({ title: t('removed'), kind: 'good' })
    },
    onError: notifyError,
  })
  const lastOf = (kind: Kind): number =>
    Math.max(-1, ...(replies ?? []).filter((reply) => reply.kind === kind).map(({ position }) => position)) +
    1
  const newButton = mayEdit && (
    <Button variant="primary" icon={Plus} keys="c" onClick={openForm}>
      {t('new')}
    </Button>
  )
  return (
    <Page title={t('title')} description={t('description')} actions={replies?.length ? newButton : undefined}>
      <div className="mb-6 flex flex-col gap-2">
        {!mayEdit && <Callout>{t('viewer')}</Callout>}
        {hasRole(session.member.role, 'agent') && <HoursHint workspace={workspace} />}
      </div>
      {replies === undefined ? (
        error ? (
          <Failed error={error} onRetry={() => void refetch()} />
        ) : (
          <SkeletonRows tall />
        )
      ) : replies.length === 0 ? (
        <Empty icon={MessageSquareReply} title={t('empty')} action={newButton}>
          {t('empty.text')}
        </Empty>
      ) : (
        <>
          <p className="mb-6 max-w-2xl text-sm text-ink-2">{t('precedence')}</p>
          {mayEdit && <AnswerPreview replies={replies} />}
          <AutoReplyList
            replies={replies}
            counts={counts}
            mayEdit={mayEdit}
            onEdit={(reply) => setEditing({ reply })}
            onRemove={setLeaving}
          />
        </>
      )}
      {editing && (
        <AutoReplyForm reply={editing.reply} lastOf={lastOf} onClose={() => setEditing(undefined)} />
      )}
      <Confirm
        open={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={t('remove.title', { name: leaving ? nameOf(leaving) : '' })}
        description={t('remove.text')}
        action={t('remove')}
        onConfirm={() => leaving && removal.mutate(leaving.id)}
        busy={removal.isPending}
        danger
      />
    </Page>
  )
}
