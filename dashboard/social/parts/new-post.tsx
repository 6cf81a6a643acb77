/** Creates or changes a post beside a preview of it: as a draft, scheduled, or published immediately. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import type { SocialPost } from '../../../sdk/api.ts'
import { useAttempt } from '../../api/attempt.ts'
import { showIssues } from '../../api/form.ts'
import { call } from '../../api/request.ts'
import { classes } from '../../kit/classes.ts'
import { EntryDialog } from '../../kit/entry-dialog.tsx'
import { TextArea, TextField } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { workspaceNow } from '../../kit/time.tsx'
import { notify } from '../../kit/toasts.tsx'
import { useIsWide } from '../../kit/width.ts'
import { fromZoneInput, toZoneInput } from '../../kit/zone-times.tsx'
import { accountQuery, type ChangedPost, refreshSocial } from '../queries.ts'
import { t } from '../texts.ts'
import { PostCard } from './post-card.tsx'
import { type PostFile, PostFiles } from './post-files.tsx'
import { fileAddress } from './thumbnail.tsx'

const KINDS = ['image', 'carousel', 'reel'] as const
const VIEWS = ['write', 'preview'] as const
const ACTIONS = ['draft', 'schedule', 'publish'] as const
const [MAX_CAPTION, HOUR_MS] = [2_200, 3_600_000]

type Values = {
  kind: (typeof KINDS)[number]
  caption: string
  action: (typeof ACTIONS)[number]
  scheduledAt: string
  media: string
}

type Props = {
  /** The post that changes, or from which caption and files are copied. */
  from: SocialPost | undefined
  isEdit?: boolean
  /** The day for which a new post is scheduled, as `2026-06-01`. */
  day?: string | undefined
  workspace: { id: string; name: string; timezone: string }
  mayPublish: boolean
  open: boolean
  onClose: () => void
}

/** Returns the proposed time in the workspace's zone: that of the post, a morning of the chosen day, or an hour from now. */
function proposedTime({ from, isEdit, day, workspace: { timezone } }: Props): string {
  if (isEdit && from?.scheduledAt) return toZoneInput(timezone, from.scheduledAt)
  const soon = toZoneInput(timezone, workspaceNow() + HOUR_MS)
  const morning = `${day}T10:00`
  return day !== undefined && morning > soon ? morning : soon
}

const initialValues = (props: Props): Values => ({
  kind: props.from?.kind ?? 'image',
  caption: props.from?.caption ?? '',
  action: isScheduled(props) || (props.day !== undefined && props.mayPublish) ? 'schedule' : 'draft',
  scheduledAt: proposedTime(props),
  media: '',
})
const isScheduled = ({ isEdit, from }: Props): boolean => isEdit === true && from?.status === 'scheduled'
const filesOf = ({ from, workspace }: Props): PostFile[] =>
  (from?.media ?? []).map((id, index) => ({
    id,
    name: t('new.files.kept', { number: index + 1 }),
    hints: [],
    src: fileAddress(id, workspace.id),
    isVideo: from?.kind === 'reel',
  }))

function usePost(props: Props) {
  const { from, isEdit, workspace } = props
  const form = useForm<Values>({ defaultValues: initialValues(props) })
  const [files, setFiles] = useState<readonly PostFile[]>(() => filesOf(props))
  // If the request is sent again, the post is created only once.
  const attempt = useAttempt()
  const { mutateAsync } = useMutation({
    mutationFn: ({ kind, caption, action, scheduledAt }: Values) => {
      const body = {
        kind,
        caption,
        action,
        media: files.map(({ id }) => id),
        ...(action === 'schedule' && { scheduledAt: fromZoneInput(workspace.timezone, scheduledAt) }),
      }
      if (!isEdit || !from)
        return attempt(body, (idempotencyKey) => call('POST /social/posts', { body, idempotencyKey }))
      const { action: _, ...fields } = body
      const patch = action === 'publish' ? { ...fields, action } : fields
      const params = { id: from.id }
      return attempt(patch, (idempotencyKey) =>
        call('PATCH /social/posts/{id}', { params, body: patch as ChangedPost, idempotencyKey }),
      )
    },
  })
  return { form, files, setFiles, create: mutateAsync }
}

export function NewPost(props: Props) {
  const { open, onClose, mayPublish, isEdit, workspace } = props
  const { form, files, setFiles, create } = usePost(props)
  const { register, control, watch, clearErrors, setError, formState } = form
  const { errors } = formState
  const { action, kind, caption } = watch()
  const { data: account } = useQuery({ ...accountQuery, enabled: open })
  const isBeside = useIsWide()
  const [view, setView] = useState<(typeof VIEWS)[number]>('write')
  // An error is shown at its field.
  useEffect(() => {
    if (Object.keys(errors).length > 0) setView('write')
  }, [errors])
  const left = MAX_CAPTION - Array.from(caption).length
  return (
    <EntryDialog
      form={form}
      open={open}
      wide
      onClose={onClose}
      title={t(isEdit ? 'edit.title' : 'new.title')}
      action={t(isScheduled(props) && action === 'schedule' ? 'edit.submit' : `new.submit.${action}`)}
      save={create}
      onSaved={(_, { action }) => {
        notify({
          title: t(isScheduled(props) && action === 'schedule' ? 'edit.done' : `new.done.${action}`),
          kind: 'good',
        })
        return refreshSocial('socialPost')
      }}
      onError={(error) => showIssues(error, ['kind', 'caption', 'scheduledAt', 'media'], setError)}
    >
      {!isBeside && (
        <Tabs
          className="-mx-5 -mt-2"
          label={t('new.views')}
          value={view}
          onChange={setView}
          tabs={VIEWS.map((value) => ({ value, label: t(`new.view.${value}`) }))}
        />
      )}
      <div className={classes(isBeside && 'grid grid-cols-[minmax(0,1fr)_20rem] items-start gap-6')}>
        <div className={classes('flex flex-col gap-4', !isBeside && view !== 'write' && 'hidden')}>
          <Controller
            control={control}
            name="kind"
            render={({ field }) => (
              <SelectField
                label={t('new.kind')}
                value={field.value}
                onChange={field.onChange}
                choices={KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
              />
            )}
          />
          <PostFiles
            kind={kind}
            files={files}
            error={errors.media?.message}
            onChange={(change) => {
              clearErrors('media')
              setFiles(change)
            }}
          />
          <TextArea
            label={t('new.caption')}
            hint={t('new.caption.hint', { left })}
            error={errors.caption?.message}
            {...register('caption', {
              validate: (text) => {
                const over = Array.from(text).length - MAX_CAPTION
                return over <= 0 || t('new.caption.tooLong', { count: over })
              },
            })}
          />
          <Controller
            control={control}
            name="action"
            render={({ field }) => (
              <SelectField
                label={t('new.when')}
                hint={mayPublish ? undefined : t('new.when.admin')}
                value={field.value}
                onChange={field.onChange}
                choices={ACTIONS.filter((value) => value !== 'draft' || !isScheduled(props)).map((value) => ({
                  value,
                  label: t(`new.when.${value}`),
                  disabled: value !== 'draft' && !mayPublish,
                }))}
              />
            )}
          />
          {action === 'schedule' && (
            <TextField
              label={t('new.at')}
              hint={t('at.hint', { zone: workspace.timezone })}
              type="datetime-local"
              error={errors.scheduledAt?.message}
              {...register('scheduledAt', { required: t('new.at.missing') })}
            />
          )}
        </div>
        {(isBeside || view === 'preview') && (
          <div className={classes(isBeside && 'sticky top-0')}>
            <PostCard
              account={account ?? { username: workspace.name, socialAccountId: undefined }}
              workspaceId={workspace.id}
              kind={kind}
              media={files.map(({ src, isVideo }) => ({ src, kind: isVideo ? 'video' : 'image' }))}
              caption={caption}
            />
          </div>
        )}
      </div>
    </EntryDialog>
  )
}
