/** Shows a draft: everything can be changed, and it has no number. */
import { useMutation } from '@tanstack/react-query'
import { Download, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Confirm } from '../../kit/dialog.tsx'
import { notify } from '../../kit/toasts.tsx'
import { useCommands } from '../../shell/commands-store.ts'
import { notifyError } from '../../shell/notify-error.ts'
import { DOCUMENT_COMMANDS } from '../commands.ts'
import { changeDraft, deleteDraft, isInvoice, issueDocument } from '../queries.ts'
import { t } from '../texts.ts'
import { DocumentFrame } from './document-frame.tsx'
import type { DocumentPageContext } from './document-page.tsx'
import { draftOf } from './draft.ts'
import { Editor, showRefused, useEditor } from './editor.tsx'
import { kindOf } from './status.tsx'
import { usePdf } from './use-pdf.ts'

function useDraft({ document, noun, onBack }: DocumentPageContext) {
  const kind = isInvoice(document) ? document.kind : 'quotation'
  const { currency, id } = document
  const state = useEditor({ kind, currency, start: draftOf(document), before: document })
  const save = useMutation({
    mutationFn: async (issue: boolean) => {
      const { draft, setSavedDraft } = state
      const { issueDate, ...body } = state.body
      const saved = await changeDraft(noun, id, { ...body, issueDate: issueDate ?? null })
      setSavedDraft(draft)
      return issue ? issueDocument(noun, id) : saved
    },
    onSuccess: ({ number }) =>
      notify({ title: number ? t('issued', { number }) : t('draft.saved'), kind: 'good' }),
    onError: (error) => showRefused(error, state.form),
  })
  const remove = useMutation({
    mutationFn: () => deleteDraft(noun, id),
    onSuccess: () => {
      notify({ title: t('draft.deleted'), kind: 'good' })
      state.unsaved.release()
      onBack()
    },
    onError: notifyError,
  })
  return { state, save, remove }
}

export function DraftDocument(context: DocumentPageContext) {
  const { document, onBack, isAdmin } = context
  const { state, save, remove } = useDraft(context)
  const [isDeleting, setDeleting] = useState(false)
  const pdf = usePdf(context.noun, document)
  useCommands(
    DOCUMENT_COMMANDS,
    { goBack: onBack, recordPayment: undefined, revise: undefined },
    { title: t },
  )
  const submit = (issue: boolean) => state.form.handleSubmit(() => save.mutate(issue))()
  // The printed document is the saved version.
  const print = () =>
    state.form.handleSubmit(() => save.mutate(false, { onSuccess: () => pdf.mutate(undefined) }))()
  return (
    <DocumentFrame title={kindOf(document)} aside={<Badge>{t('status.draft')}</Badge>} onBack={onBack}>
      <Editor
        state={state}
        mayDate={isAdmin}
        onSubmit={() => void submit(false)}
        actions={
          <>
            <Button
              variant="primary"
              busy={save.isPending && save.variables}
              onClick={() => void submit(true)}
            >
              {t('issue')}
            </Button>
            <Button busy={save.isPending && !save.variables} onClick={() => void submit(false)}>
              {t('draft.save')}
            </Button>
            <Button variant="ghost" icon={Download} busy={pdf.isPending} onClick={() => void print()}>
              {t('pdf')}
            </Button>
            <Button variant="ghost" icon={Trash2} onClick={() => setDeleting(true)}>
              {t('draft.delete')}
            </Button>
          </>
        }
      />
      <Confirm
        open={isDeleting}
        onClose={() => setDeleting(false)}
        title={t('draft.delete.title')}
        description={t('draft.delete.text')}
        action={t('draft.delete')}
        danger
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      />
    </DocumentFrame>
  )
}
