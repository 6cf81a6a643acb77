/** Edits a template next to a phone preview, with the operator's likely objections. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { type FormEvent, useMemo, useState } from 'react'
import type { Template } from '../../sdk/api.ts'
import { useAttempt } from '../api/attempt.ts'
import { queryClient } from '../api/cache.ts'
import { ApiError, messageOf } from '../api/errors.ts'
import { call } from '../api/request.ts'
import { numbersQuery } from '../inbox/queries.ts'
import { Button } from '../kit/button.tsx'
import { Callout } from '../kit/callout.tsx'
import { TextField } from '../kit/field.tsx'
import { SelectField } from '../kit/select.tsx'
import { notify } from '../kit/toasts.tsx'
import { useUnsaved } from '../kit/unsaved.tsx'
import { useDebounced } from '../kit/use-debounced.ts'
import { ContentFields } from './parts/content-fields.tsx'
import { bodyOf, CATEGORIES, type Category, type Draft, draftOf, EMPTY, newVersionOf } from './parts/draft.ts'
import { FindingList } from './parts/finding-list.tsx'
import { findingsOf } from './parts/findings.ts'
import { chosenFile } from './parts/header-file.ts'
import { LanguageField } from './parts/language-field.tsx'
import { PhonePreview } from './parts/phone-preview.tsx'
import { languagesQuery, lintQuery, type TemplateBody } from './queries.ts'
import { t } from './texts.ts'

/** Returns whether every required part has content: before that, empty fields are not reported as errors. */
const isStarted = (draft: Draft): boolean =>
  draft.name !== '' &&
  draft.language !== '' &&
  (draft.category === 'AUTHENTICATION' || draft.body.trim() !== '')

/** The pause in typing after which the draft is checked. */
const WRITING_MS = 400

/** Returns the findings for a draft while it is being edited. */
function useFindings(draft: Draft, body: TemplateBody) {
  const settled = useDebounced(body, WRITING_MS)
  const { data } = useQuery({ ...lintQuery(settled), enabled: isStarted(draft) })
  return findingsOf(data && isStarted(draft) ? data : { issues: [], warnings: [] }, settled.components)
}

function Account({ draft, onChange }: { draft: Draft; onChange: (patch: Partial<Draft>) => void }) {
  const { data: numbers = [] } = useQuery(numbersQuery)
  const accounts = [...new Map(numbers.map((number) => [number.wabaConnectionId, number])).values()]
  if (accounts.length < 2) return null
  return (
    <SelectField
      label={t('account')}
      value={draft.account ?? null}
      onChange={(account) => onChange({ account })}
      choices={accounts.map((account) => ({
        value: account.wabaConnectionId,
        label: `${account.displayName} · ${account.number}`,
      }))}
    />
  )
}

type Props = {
  /** The template to which this one adds a language, or of which it is a new version. */
  from?: Template | undefined
  isNewVersion?: boolean
  onSubmitted: (template: Template) => void
}

const startOf = ({ from, isNewVersion }: Pick<Props, 'from' | 'isNewVersion'>): Draft => {
  if (!from) return EMPTY
  return isNewVersion ? newVersionOf(from) : draftOf(from)
}

export function TemplateEditor({ from, isNewVersion, onSubmitted }: Props) {
  const [start] = useState<Draft>(() => startOf({ from, isNewVersion }))
  const addsLanguage = from !== undefined && !isNewVersion
  const { data: translations = [] } = useQuery({ ...languagesQuery(start.name), enabled: addsLanguage })
  const [draft, setDraft] = useState(start)
  const unsaved = useUnsaved(JSON.stringify(draft) !== JSON.stringify(start))
  const [isTried, setTried] = useState(false)
  const body = useMemo(() => bodyOf(draft), [draft])
  const found = useFindings(draft, body)
  const change = (patch: Partial<Draft>) => setDraft((before) => ({ ...before, ...patch }))
  const attempt = useAttempt()
  const submit = useMutation({
    mutationFn: () => attempt(body, (idempotencyKey) => call('POST /templates', { body, idempotencyKey })),
    onSuccess: ({ template }) => {
      void queryClient.invalidateQueries({ queryKey: ['template', 'list'] })
      notify({ title: t('submitted'), description: t('submitted.text'), kind: 'good' })
      unsaved.release()
      onSubmitted(template)
    },
  })
  const errorOf = (part: 'name' | 'language'): string | undefined =>
    isTried && !draft[part].trim() ? t(`${part}.required`) : found[part][0]?.message
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (isStarted(draft)) submit.mutate()
  }
  const hasIssues = submit.error instanceof ApiError && submit.error.issues.length > 0
  return (
    <div className="grid items-start gap-8 lg:grid-cols-[1fr_20rem]">
      {unsaved.question}
      <form noValidate onSubmit={onSubmit} className="flex min-w-0 flex-col gap-7">
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={t('name')}
            hint={t('name.hint')}
            value={draft.name}
            disabled={addsLanguage}
            autoFocus={isNewVersion ?? false}
            error={errorOf('name')}
            onChange={(event) =>
              change({
                name: (event.target as HTMLInputElement).value.toLowerCase().replaceAll(/[^a-z0-9_]/g, '_'),
              })
            }
          />
          <LanguageField
            value={draft.language}
            taken={translations.map(({ language }) => language)}
            hint={addsLanguage ? t('language.translate') : undefined}
            error={errorOf('language')}
            onChange={(language) => change({ language })}
          />
          <SelectField<Category>
            label={t('category')}
            hint={t(`category.${draft.category}.hint`)}
            value={draft.category}
            onChange={(category) => change({ category })}
            choices={CATEGORIES.map((value) => ({ value, label: t(`category.${value}`) }))}
          />
          <Account draft={draft} onChange={change} />
        </div>
        <ContentFields draft={draft} findings={found} isTried={isTried} onChange={change} />
        <FindingList findings={found.whole} />
        {submit.error && (
          <Callout kind="bad" role="alert">
            {hasIssues ? t('submit.issues') : messageOf(submit.error)}
          </Callout>
        )}
        <div>
          <Button type="submit" variant="primary" icon={Send} busy={submit.isPending}>
            {t('submit')}
          </Button>
        </div>
      </form>
      <div className="lg:sticky lg:top-6">
        <PhonePreview
          components={body.components}
          values={draft.examples}
          file={chosenFile(draft.sample, undefined)}
        />
      </div>
    </div>
  )
}
