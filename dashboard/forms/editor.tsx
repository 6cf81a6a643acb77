/** Designs a form next to a phone that shows it. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Plus, Save } from 'lucide-react'
import { type FormEvent, useMemo, useState } from 'react'
import { useAttempt } from '../api/attempt.ts'
import { ApiError, messageOf } from '../api/errors.ts'
import { call } from '../api/request.ts'
import { numbersQuery } from '../inbox/queries.ts'
import { Button } from '../kit/button.tsx'
import { Callout } from '../kit/callout.tsx'
import { classes } from '../kit/classes.ts'
import { TextField } from '../kit/field.tsx'
import { SelectField } from '../kit/select.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { notify } from '../kit/toasts.tsx'
import { useUnsaved } from '../kit/unsaved.tsx'
import {
  bodyOf,
  CATEGORIES,
  type Category,
  type Draft,
  type DraftScreen,
  draftOf,
  moved,
  namesOf,
  newScreen,
} from './parts/draft.ts'
import { FormPreview } from './parts/preview.tsx'
import { ScreenEditor } from './parts/screen-editor.tsx'
import { type FlowDetails, showForm } from './queries.ts'
import { t } from './texts.ts'

const SCREENS_MAX = 8
/** On a narrow screen the fields and the preview take turns. */
const SIDES = ['fields', 'preview'] as const

const emptyDraft = (): Draft => ({
  name: '',
  category: 'APPOINTMENT_BOOKING',
  account: null,
  screens: [newScreen(t('screen.button.send'))],
})

function Account({ draft, onChange }: { draft: Draft; onChange: (account: string) => void }) {
  const { data: numbers = [] } = useQuery(numbersQuery)
  const accounts = [...new Map(numbers.map((number) => [number.wabaConnectionId, number])).values()]
  if (accounts.length < 2) return null
  return (
    <SelectField
      label={t('account')}
      value={draft.account}
      onChange={onChange}
      choices={accounts.map((account) => ({
        value: account.wabaConnectionId,
        label: `${account.displayName} · ${account.number}`,
      }))}
    />
  )
}

/** Returns the server's errors by their paths; an error of one option belongs to its list. */
const issuesOf = (error: unknown): Map<string, string> =>
  new Map(
    error instanceof ApiError
      ? error.issues.map(({ path, message }) => [path.replace(/\.options\[\d+\]$/, '.options'), message])
      : [],
  )

type Props = {
  form?: FlowDetails | undefined
  /** The form is the model of a new one. */
  isCopy?: boolean
  onSaved: (flow: FlowDetails) => void
}

export function FormEditor({ form: source, isCopy = false, onSaved }: Props) {
  const form = isCopy ? undefined : source
  const [start] = useState<Draft>(() =>
    source
      ? { ...draftOf(source), ...(isCopy && { name: t('copy.name', { name: source.name }) }) }
      : emptyDraft(),
  )
  const [draft, setDraft] = useState(start)
  const [shownScreen, setShownScreen] = useState(0)
  const [side, setSide] = useState<(typeof SIDES)[number]>('fields')
  const unsaved = useUnsaved(JSON.stringify(draft) !== JSON.stringify(start))
  const names = useMemo(() => namesOf(draft.screens), [draft.screens])
  const attempt = useAttempt()
  const save = useMutation({
    mutationFn: () => {
      const body = bodyOf(draft)
      return attempt(body, (idempotencyKey) => {
        if (!form) return call('POST /flows', { body, idempotencyKey })
        const { wabaConnectionId: _, ...patch } = body
        return call('PATCH /flows/{id}', { params: { id: form.id }, body: patch, idempotencyKey })
      })
    },
    onSuccess: ({ flow }) => {
      showForm(flow)
      notify({ title: t('saved'), kind: 'good' })
      unsaved.release()
      onSaved(flow)
    },
  })
  const issues = issuesOf(save.error)
  const change = (patch: Partial<Draft>) => setDraft((before) => ({ ...before, ...patch }))
  const setScreens = (of: (screens: DraftScreen[]) => DraftScreen[]) =>
    setDraft((before) => ({ ...before, screens: of(before.screens) }))
  const addScreen = () =>
    setScreens((screens) => [
      ...screens.map((screen) =>
        screen.button === t('screen.button.send') ? { ...screen, button: t('screen.button.next') } : screen,
      ),
      newScreen(t('screen.button.send')),
    ])
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <div className="grid min-w-0 items-start gap-x-8 gap-y-5 lg:grid-cols-[1fr_20rem]">
      {unsaved.question}
      <Tabs
        className="lg:hidden"
        label={t('sides')}
        value={side}
        onChange={setSide}
        tabs={SIDES.map((value) => ({ value, label: t(`side.${value}`) }))}
      />
      <form
        noValidate
        onSubmit={onSubmit}
        className={classes('flex min-w-0 flex-col gap-6', side === 'preview' && 'max-lg:hidden')}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={t('name')}
            hint={t('name.hint')}
            value={draft.name}
            autoFocus
            error={issues.get('name')}
            onChange={(event) => change({ name: (event.target as HTMLInputElement).value })}
          />
          <SelectField<Category>
            label={t('category')}
            value={draft.category}
            onChange={(category) => change({ category })}
            choices={CATEGORIES.map((value) => ({ value, label: t(`category.${value}`) }))}
          />
          {!form && <Account draft={draft} onChange={(account) => change({ account })} />}
        </div>
        {draft.screens.map((screen, i) => (
          <ScreenEditor
            key={screen.key}
            screen={screen}
            number={i + 1}
            isLast={i === draft.screens.length - 1}
            onShow={() => setShownScreen(i)}
            onMove={(by) => {
              setScreens((screens) => moved(screens, i, by))
              setShownScreen(i + by)
            }}
            names={names}
            errorOf={(path) => issues.get(`screens[${i}].${path}`)}
            onChange={(patch) =>
              setScreens((screens) =>
                screens.map((other) => (other.key === screen.key ? { ...other, ...patch } : other)),
              )
            }
            onRemove={
              draft.screens.length === 1
                ? undefined
                : () => setScreens((screens) => screens.filter((other) => other.key !== screen.key))
            }
          />
        ))}
        {draft.screens.length < SCREENS_MAX && (
          <div>
            <Button icon={Plus} onClick={addScreen}>
              {t('screen.add')}
            </Button>
          </div>
        )}
        {save.error && (
          <Callout kind="bad" role="alert">
            {issues.size > 0 ? t('issues') : messageOf(save.error)}
          </Callout>
        )}
        <div>
          <Button type="submit" variant="primary" icon={Save} busy={save.isPending}>
            {t('save')}
          </Button>
        </div>
      </form>
      <div className={classes('lg:sticky lg:top-6', side === 'fields' && 'max-lg:hidden')}>
        <FormPreview screens={draft.screens} index={shownScreen} onIndex={setShownScreen} />
      </div>
    </div>
  )
}
