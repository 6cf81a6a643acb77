import { useState } from 'react'
import type { SocialPost } from '../../../sdk/api.ts'
import { fromLocalInput, toLocalInput } from '../../kit/due.tsx'
import { TextField } from '../../kit/field.tsx'
import { FormDialog } from '../../kit/form-dialog.tsx'
import { t } from '../texts.ts'

type Props = {
  post: SocialPost
  onMove: (post: SocialPost, scheduledAt: string) => void
  onClose: () => void
}

/** Asks for a new time. */
export function MovePost({ post, onMove, onClose }: Props) {
  const [time, setTime] = useState(() => toLocalInput(post.scheduledAt as string))
  const [isMissing, setMissing] = useState(false)
  const submit = () => {
    const iso = fromLocalInput(time)
    if (!iso) return setMissing(true)
    onMove(post, iso)
    onClose()
  }
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t('calendar.move.title')}
      description={post.caption || t('posts.noCaption')}
      action={t('calendar.move.submit')}
      onSubmit={submit}
    >
      <TextField
        label={t('new.at')}
        hint={t('at.hint')}
        type="datetime-local"
        value={time}
        error={isMissing && time === '' ? t('new.at.missing') : undefined}
        onChange={(event) => setTime(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
