import { useInfiniteQuery } from '@tanstack/react-query'
import { MessageSquareReply } from 'lucide-react'
import type { QuickReply } from '../../../sdk/api.ts'
import { call } from '../../api/request.ts'
import { TextArea, TextField } from '../../kit/field.tsx'
import { repliesQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { EntryDialog } from './entry-dialog.tsx'
import { ListSection } from './list-section.tsx'

const READS = ['quickReply']
type FormProps = { reply: QuickReply | undefined; onClose: () => void }

const ReplyDialog = ({ reply, onClose }: FormProps) => (
  <EntryDialog<{ shortcut: string; text: string }>
    title={t(reply ? 'replies.change' : 'replies.add')}
    values={{ shortcut: reply?.shortcut ?? '', text: reply?.text ?? '' }}
    names={['shortcut', 'text']}
    save={(body) =>
      reply
        ? call('PATCH /quick-replies/{id}', { params: { id: reply.id }, body })
        : call('POST /quick-replies', { body })
    }
    saved={t('replies.saved')}
    reads={READS}
    onClose={onClose}
  >
    {({ register, formState: { errors } }) => (
      <>
        <TextField
          label={t('replies.shortcut')}
          hint={t('replies.shortcut.hint')}
          autoFocus
          error={errors.shortcut?.message}
          {...register('shortcut')}
        />
        <TextArea label={t('replies.body')} error={errors.text?.message} {...register('text')} />
      </>
    )}
  </EntryDialog>
)

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
