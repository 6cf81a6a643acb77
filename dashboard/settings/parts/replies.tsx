import { useInfiniteQuery } from '@tanstack/react-query'
import { MessageSquareReply } from 'lucide-react'
import { useForm } from 'react-hook-form'
import type { QuickReply } from '../../../sdk/api.ts'
import { showIssues } from '../../api/form.ts'
import { call } from '../../api/request.ts'
import { EntryDialog } from '../../kit/entry-dialog.tsx'
import { TextArea, TextField } from '../../kit/field.tsx'
import { withConfirmation } from '../../shell/confirm.ts'
import { repliesQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { reportSaved } from '../use-write.ts'
import { ListSection } from './list-section.tsx'

const READS = ['quickReply']
type FormProps = { reply: QuickReply | undefined; onClose: () => void }

function ReplyDialog({ reply, onClose }: FormProps) {
  const form = useForm({ defaultValues: { shortcut: reply?.shortcut ?? '', text: reply?.text ?? '' } })
  const { errors } = form.formState
  return (
    <EntryDialog
      form={form}
      title={t(reply ? 'replies.change' : 'replies.add')}
      save={(body) =>
        withConfirmation(async () =>
          reply
            ? call('PATCH /quick-replies/{id}', { params: { id: reply.id }, body })
            : call('POST /quick-replies', { body }),
        )
      }
      onSaved={() => reportSaved(t('replies.saved'), READS)}
      onError={(error) => showIssues(error, ['shortcut', 'text'], form.setError)}
      onClose={onClose}
    >
      <TextField
        label={t('replies.shortcut')}
        hint={t('replies.shortcut.hint')}
        autoFocus
        error={errors.shortcut?.message}
        {...form.register('shortcut')}
      />
      <TextArea label={t('replies.body')} error={errors.text?.message} {...form.register('text')} />
    </EntryDialog>
  )
}

/** Edits the saved replies, each with a short name. */
export const Replies = () => (
  <ListSection
    name="replies"
    icon={MessageSquareReply}
    query={useInfiniteQuery(repliesQuery)}
    nameOf={({ shortcut }) => shortcut}
    remove={({ id }) => call('DELETE /quick-replies/{id}', { params: { id } })}
    reads={READS}
    form={(reply, onClose) => <ReplyDialog reply={reply} onClose={onClose} />}
    columns={[
      {
        id: 'shortcut',
        title: t('replies.shortcut'),
        cell: ({ shortcut }) => <span className="font-medium">{shortcut}</span>,
      },
      {
        id: 'text',
        title: t('replies.body'),
        cell: ({ text }) => <span className="line-clamp-2 whitespace-pre-line text-ink-2">{text}</span>,
      },
    ]}
  />
)
