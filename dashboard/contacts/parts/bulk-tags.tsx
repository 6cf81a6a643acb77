import { X } from 'lucide-react'
import { useState } from 'react'
import type { Contact } from '../../../sdk/api.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { notify } from '../../kit/toasts.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { tagContacts } from '../queries.ts'
import { t } from '../texts.ts'

type Props = { contacts: readonly Contact[]; onDone: () => void; onClear: () => void }

/** Adds a tag to all selected contacts, or removes it. */
export function BulkTags({ contacts, onDone, onClear }: Props) {
  const [text, setText] = useState('')
  const [busy, setBusy] = useState<'add' | 'remove'>()
  const tag = text.trim()
  const run = async (kind: 'add' | 'remove') => {
    if (tag === '' || busy) return
    setBusy(kind)
    // Contacts without a change are skipped, so that undo does not change them either.
    const ids = contacts.filter(({ tags }) => tags.includes(tag) === (kind === 'remove')).map(({ id }) => id)
    const [addTags, removeTags] = [{ addTags: [tag] }, { removeTags: [tag] }]
    try {
      const { updated, refused } = await tagContacts(ids, kind === 'add' ? addTags : removeTags)
      notify({
        title: t('bulk.done', { count: updated }),
        kind: refused > 0 ? 'bad' : 'good',
        ...(refused > 0 && { description: t('bulk.refused', { count: refused }) }),
        ...(updated > 0 && {
          action: {
            label: t('undo'),
            run: () => void tagContacts(ids, kind === 'add' ? removeTags : addTags).catch(notifyError),
          },
        }),
      })
      setText('')
      onDone()
    } catch (error) {
      notifyError(error)
    }
    setBusy(undefined)
  }
  return (
    <form
      aria-label={t('bulk')}
      onSubmit={(event) => {
        event.preventDefault()
        void run('add')
      }}
      className="flex flex-wrap items-center gap-2 border-t bg-surface-2 px-4 py-2 sm:px-6"
    >
      <span className="me-2">{t('bulk.selected', { count: contacts.length })}</span>
      <input
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
        maxLength={100}
        aria-label={t('bulk.tag')}
        placeholder={t('bulk.tag')}
        className="h-8 w-40 rounded-md border border-edge bg-surface-1 px-2 pointer-coarse:h-11"
      />
      <Button type="submit" size="sm" disabled={tag === ''} busy={busy === 'add'}>
        {t('bulk.add')}
      </Button>
      <Button size="sm" disabled={tag === ''} busy={busy === 'remove'} onClick={() => void run('remove')}>
        {t('bulk.remove')}
      </Button>
      <IconButton icon={X} size="sm" label={t('bulk.clear')} onClick={onClear} className="ms-auto" />
    </form>
  )
}
