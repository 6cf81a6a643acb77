import { useState } from 'react'
import type { SocialPost } from '../../../sdk/api.ts'
import { TextField } from '../../kit/field.tsx'
import { FormDialog } from '../../kit/form-dialog.tsx'
import { fromZoneInput, toZoneInput } from '../../kit/zone-times.tsx'
import { t } from '../texts.ts'

type Props = {
  post: SocialPost
  /** The time zone of the workspace. */
  zone: string
  onMove: (post: SocialPost, scheduledAt: string) => void
  onClose: () => void
}

/** Asks for a new time. */
export function MovePost({ post, zone, onMove, onClose }: Props) {
  const [time, setTime] = useState(() => toZoneInput(zone, post.scheduledAt as string))
  const [isMissing, setMissing] = useState(false)
  const submit = () => {
    const iso = fromZoneInput(zone, time)
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
        hint={t('at.hint', { zone })}
        type="datetime-local"
        value={time}
        error={isMissing && time === '' ? t('new.at.missing') : undefined}
        onChange={(event) => setTime(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
