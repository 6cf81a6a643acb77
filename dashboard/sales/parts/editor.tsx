/**
 * Edits a document: the buyer, the items, and the dates; next to it, the totals and the fields missing before
 * issue.
 */
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import { type UseFormReturn, useForm, useWatch } from 'react-hook-form'
import { showIssues } from '../../api/form.ts'
import { useWorkspaceSession } from '../../api/session.ts'
import { Callout, FormFault } from '../../kit/callout.tsx'
import { TextArea, TextField } from '../../kit/field.tsx'
import { useUnsaved } from '../../kit/unsaved.tsx'
import { useIsRoomy } from '../../kit/width.ts'
import type { NewDocument, SalesDocument } from '../queries.ts'
import { t } from '../texts.ts'
import { bodyOf, type Draft, lineOf } from './draft.ts'
import { EditorCustomer } from './editor-customer.tsx'
import { EditorLines } from './editor-lines.tsx'
import { formatMinor } from './money.ts'
import { placeName } from './places.ts'
import { Sheet } from './sheet.tsx'
import { Totals } from './totals.tsx'
import { type PreviewState, usePreview } from './use-preview.ts'

type Kind = 'invoice' | 'proforma' | 'quotation'

export type EditorState = {
  form: UseFormReturn<Draft>
  kind: Kind
  currency: string
  /** The number of the document that is being revised. */
  number: string | undefined
  draft: Draft
  body: NewDocument
  previewState: PreviewState
  unsaved: ReturnType<typeof useUnsaved>
  /** Records the saved version. */
  setSavedDraft: (draft: Draft) => void
}

type Begin = {
  kind: Kind
  currency: string
  start: Draft
  /** The document before the changes: its other fields and the rules at its issue apply to the totals. */
  before?: SalesDocument
}

/** Holds the state of a document in the editor, with its totals so far. */
export function useEditor({ kind, currency, start, before }: Begin): EditorState {
  const form = useForm<Draft>({ defaultValues: start })
  const draft = useWatch({ control: form.control, compute: (values: Draft) => values }) as Draft
  const body = useMemo(() => bodyOf(draft, { kind, currency, before }), [draft, kind, currency, before])
  const previewState = usePreview(body, { kind, ...(before && { documentId: before.id }) })
  const [savedDraft, setSavedDraft] = useState(start)
  const unsaved = useUnsaved(JSON.stringify(draft) !== JSON.stringify(savedDraft))
  const number = before?.number ?? undefined
  return { form, kind, currency, number, draft, body, previewState, unsaved, setSavedDraft }
}

/** The form's fields by the API's names. */
const NAMES: Record<string, keyof Draft> = {
  'customer.name': 'name',
  'customer.phone': 'phone',
  'customer.email': 'email',
  'customer.gstin': 'gstin',
  'customer.billingAddress.line1': 'line1',
  'customer.billingAddress.city': 'city',
  'customer.billingAddress.state': 'state',
  'customer.billingAddress.postalCode': 'postalCode',
  'customer.billingAddress': 'line1',
  dueDate: 'until',
  validUntil: 'until',
}

const OWN_NAMES: (keyof Draft)[] = ['placeOfSupply', 'issueDate', 'reference', 'lines']

/** Shows the server's errors at their fields. */
export function showRefused(error: unknown, { setError }: UseFormReturn<Draft>): void {
  const issues = (error as { issues?: { path: string }[] }).issues ?? []
  for (const issue of issues) issue.path = NAMES[issue.path] ?? issue.path
  const fields = [...new Set(Object.values(NAMES)), ...OWN_NAMES]
  showIssues<Draft>(error, fields, setError)
}

/** Returns the amount of each line; incomplete lines have none. */
function amountsOf({ draft, currency, previewState }: EditorState): (string | undefined)[] {
  const { preview } = previewState
  let index = 0
  return draft.lines.map((line) => {
    if (!preview || !lineOf(line, currency)) return undefined
    const amounts = preview.lines[index++]
    if (!amounts) return undefined
    const tax = amounts.cgstMinor + amounts.sgstMinor + amounts.igstMinor + amounts.cessMinor
    return preview.reverseCharge
      ? t('line.amount.untaxed', { amount: formatMinor(amounts.taxableMinor, currency) })
      : t('line.amount', { amount: formatMinor(amounts.taxableMinor + tax, currency) })
  })
}

const Problems = ({ title, issues }: { title: string; issues: PreviewState['issues'] }) =>
  issues.length > 0 && (
    <Callout kind="warn">
      <p className="font-medium">{title}</p>
      <ul className="list-disc ps-4">
        {issues.map(({ path, message }) => (
          <li key={`${path} ${message}`} className="break-words">
            {path}: {message}
          </li>
        ))}
      </ul>
    </Callout>
  )

type Props = {
  state: EditorState
  isRevision?: boolean
  mayDate: boolean
  actions: ReactNode
  onSubmit: () => void
}

export function Editor({ state, isRevision = false, mayDate, actions, onSubmit }: Props) {
  const { form, kind, currency, draft, number, previewState, unsaved } = state
  const isRoomy = useIsRoomy()
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const zone = useWorkspaceSession(workspace).workspace.timezone
  const { register, formState } = form
  const { errors } = formState
  const { preview, issues, isCurrent } = previewState
  const dateLabel = kind === 'quotation' ? 'field.validUntil' : 'field.dueDate'
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
      className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,28rem)]"
    >
      <div className="flex min-w-0 flex-col gap-8">
        <FormFault fault={errors.root} />
        <EditorCustomer form={form} mayChoose={!isRevision} place={placeName(preview?.placeOfSupply)} />
        <EditorLines form={form} currency={currency} amounts={amountsOf(state)} />
        {errors.lines?.message && (
          <Callout kind="bad" role="alert">
            {errors.lines.message}
          </Callout>
        )}
        <div className="grid gap-4 sm:grid-cols-3">
          <TextField label={t(dateLabel)} type="date" error={errors.until?.message} {...register('until')} />
          {mayDate && !isRevision && (
            <TextField
              label={t('field.issueDate')}
              hint={t('field.issueDate.hint')}
              type="date"
              error={errors.issueDate?.message}
              {...register('issueDate')}
            />
          )}
          <TextField
            label={t('field.reference')}
            maxLength={64}
            error={errors.reference?.message}
            {...register('reference')}
          />
        </div>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextArea label={t('field.notes')} maxLength={2000} {...register('notes')} />
          <TextArea label={t('field.terms')} maxLength={2000} {...register('terms')} />
        </div>
        <button type="submit" hidden />
      </div>
      <aside className="flex flex-col gap-4 lg:sticky lg:top-6 lg:self-start">
        {isRoomy && preview ? (
          <Sheet preview={preview} draft={draft} number={number} zone={zone} isCurrent={isCurrent} />
        ) : (
          <section aria-busy={!isCurrent} className="flex flex-col gap-3 rounded-lg border bg-surface-2 p-4">
            <h2 className="text-md font-semibold">{t('reckoning')}</h2>
            {preview ? (
              <Totals sums={preview} label={t('reckoning')} />
            ) : (
              <p className="text-sm text-ink-2">{t('reckoning.none')}</p>
            )}
            {isRoomy && !preview && <p className="text-sm text-ink-2">{t('sheet.none')}</p>}
          </section>
        )}
        <Problems title={t('refused')} issues={issues} />
        <Problems title={t('missing')} issues={issues.length > 0 ? [] : (preview?.missing ?? [])} />
        <div className="flex flex-wrap gap-2">{actions}</div>
      </aside>
      {unsaved.question}
    </form>
  )
}
