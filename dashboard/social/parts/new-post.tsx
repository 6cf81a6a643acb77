/** Creates a post: as a draft, scheduled, or published immediately. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import type { SocialPost } from '../../../sdk/api.ts'
import { useAttempt } from '../../api/attempt.ts'
import { showIssues } from '../../api/form.ts'
import { call } from '../../api/request.ts'
import { fromLocalInput, toLocalInput } from '../../kit/due.tsx'
import { EntryDialog } from '../../kit/entry-dialog.tsx'
import { TextArea, TextField } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { workspaceNow } from '../../kit/time.tsx'
import { notify } from '../../kit/toasts.tsx'
import { refreshSocial } from '../queries.ts'
import { t } from '../texts.ts'
import { type PostFile, PostFiles } from './post-files.tsx'

const KINDS = ['image', 'carousel', 'reel'] as const
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
  /** The post from which caption and files are copied. */
  from: SocialPost | undefined
  mayPublish: boolean
  open: boolean
  onClose: () => void
}

const initialValues = (from: SocialPost | undefined): Values => ({
  kind: from?.kind ?? 'image',
  caption: from?.caption ?? '',
  action: 'draft',
  scheduledAt: toLocalInput(workspaceNow() + HOUR_MS),
  media: '',
})
const filesOf = (from: SocialPost | undefined): PostFile[] =>
  (from?.media ?? []).map((id, index) => ({
    id,
    name: t('new.files.kept', { number: index + 1 }),
    hints: [],
  }))

function usePost(from: SocialPost | undefined) {
  const form = useForm<Values>({ defaultValues: initialValues(from) })
  const [files, setFiles] = useState<readonly PostFile[]>(() => filesOf(from))
  // If the request is sent again, the post is created only once.
  const attempt = useAttempt()
  const { mutateAsync } = useMutation({
    mutationFn: ({ kind, caption, action, scheduledAt }: Values) => {
      const body = {
        kind,
        caption,
        action,
        media: files.map(({ id }) => id),
        ...(action === 'schedule' && { scheduledAt: fromLocalInput(scheduledAt) }),
      }
      return attempt(body, (idempotencyKey) => call('POST /social/posts', { body, idempotencyKey }))
    },
  })
  return { form, files, setFiles, create: mutateAsync }
}

export function NewPost(props: Props) {
  const { open, onClose, mayPublish } = props
  const { form, files, setFiles, create } = usePost(props.from)
  const { register, control, watch, clearErrors, setError, formState } = form
  const { errors } = formState
  const { action, kind, caption } = watch()
  const left = MAX_CAPTION - Array.from(caption).length
  return (
    <EntryDialog
      form={form}
      open={open}
      onClose={onClose}
      title={t('new.title')}
      action={t(`new.submit.${action}`)}
      save={create}
      onSaved={(_, { action }) => {
        notify({ title: t(`new.done.${action}`), kind: 'good' })
        return refreshSocial('socialPost')
      }}
      onError={(error) => showIssues(error, ['kind', 'caption', 'scheduledAt', 'media'], setError)}
    >
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
            choices={ACTIONS.map((value) => ({
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
          hint={t('at.hint')}
          type="datetime-local"
          error={errors.scheduledAt?.message}
          {...register('scheduledAt', { required: t('new.at.missing') })}
        />
      )}
    </EntryDialog>
  )
}
