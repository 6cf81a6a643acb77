import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { Callout, FormFault } from '../../kit/callout.tsx'
import { Keys } from '../../kit/keys.tsx'
import { Section } from '../../kit/page.tsx'
import { SelectField } from '../../kit/select.tsx'
import { SkeletonRows } from '../../kit/states.tsx'
import { changeKeys, keysOn, letterOf, type Refusal, restoreKeys } from '../../shell/changed-keys.ts'
import { usePreferences } from '../../shell/preferences.ts'
import { t as ofShell } from '../../shell/texts.ts'
import { SHORTCUT_PAGES, type Shortcut, shortcutsOf } from '../../shortcuts.ts'
import { t } from '../texts.ts'

const nameOf = ({ titles }: Shortcut): string => titles.join(', ')
const keyLabel = (letter: string): string => letter.toUpperCase()

const refusalOf = (refusal: Refusal): string => t(`keys.refused.${refusal}`)

/** One shortcut: after a click, it waits for the next letter. */
function ShortcutRow({ page, shortcut, shortcuts, onProblem }: RowProps) {
  const [isWaiting, setWaiting] = useState(false)
  const now = keysOn(page, shortcut.keys)
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isWaiting) return
    const keyResult = letterOf(event)
    // Tab moves the focus, as everywhere.
    if (event.key === 'Tab' || !keyResult) return
    event.preventDefault()
    if (event.key === 'Escape') return setWaiting(false)
    if ('refusal' in keyResult) return onProblem(refusalOf(keyResult.refusal))
    const other = shortcuts.find(
      (candidate) => candidate !== shortcut && keysOn(page, candidate.keys) === keyResult.letter,
    )
    if (other) {
      const values = { letter: keyLabel(keyResult.letter), name: nameOf(other) }
      return onProblem(t('keys.taken', values))
    }
    changeKeys(page, shortcut.keys, keyResult.letter)
    onProblem(undefined)
    setWaiting(false)
  }
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-1">
      <span className="min-w-0 flex-1">{nameOf(shortcut)}</span>
      {now !== shortcut.keys && (
        <Button size="sm" variant="ghost" onClick={() => restore(page, shortcut, shortcuts, onProblem)}>
          {t('keys.restore', { letter: keyLabel(shortcut.keys) })}
        </Button>
      )}
      <Button
        size="sm"
        aria-label={
          isWaiting ? t('keys.press') : t('keys.change', { name: nameOf(shortcut), letter: keyLabel(now) })
        }
        onClick={() => {
          onProblem(undefined)
          setWaiting(true)
        }}
        onBlur={() => setWaiting(false)}
        onKeyDown={(event) => onKeyDown(event.nativeEvent)}
        className="min-w-20"
      >
        {isWaiting ? t('keys.press') : <Keys keys={now} />}
      </Button>
    </li>
  )
}

type RowProps = {
  page: string
  shortcut: Shortcut
  shortcuts: readonly Shortcut[]
  onProblem: (problem: string | undefined) => void
}

/** Resets a shortcut to its own letter, unless another shortcut uses that letter now. */
function restore(
  page: string,
  shortcut: Shortcut,
  shortcuts: readonly Shortcut[],
  onProblem: RowProps['onProblem'],
): void {
  const other = shortcuts.find(
    (candidate) => candidate !== shortcut && keysOn(page, candidate.keys) === shortcut.keys,
  )
  if (!other) changeKeys(page, shortcut.keys, shortcut.keys)
  onProblem(other && t('keys.taken', { letter: keyLabel(shortcut.keys), name: nameOf(other) }))
}

/** Edits the letters of each page. */
export function KeysSection() {
  const { letters, keys } = usePreferences()
  const [page, setPage] = useState(SHORTCUT_PAGES[0]!.id)
  const [problem, setProblem] = useState<string>()
  const { data: shortcuts } = useQuery({
    queryKey: ['shortcut', 'of', page],
    queryFn: () => shortcutsOf(page),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const changedCount = Object.keys(keys).length
  return (
    <Section title={t('keys')} description={t('keys.text')}>
      <div className="flex max-w-md flex-col gap-4">
        {!letters && <Callout>{t('keys.off')}</Callout>}
        <SelectField
          label={t('keys.page')}
          value={page}
          onChange={(next) => {
            setPage(next)
            setProblem(undefined)
          }}
          choices={SHORTCUT_PAGES.map(({ id, title }) => ({ value: id, label: ofShell(title) }))}
        />
        <FormFault fault={{ message: problem }} />
        {shortcuts ? (
          <ul aria-label={t('keys.list')}>
            {shortcuts.map((shortcut) => (
              <ShortcutRow
                key={`${page}:${shortcut.keys}`}
                page={page}
                shortcut={shortcut}
                shortcuts={shortcuts}
                onProblem={setProblem}
              />
            ))}
          </ul>
        ) : (
          <SkeletonRows />
        )}
        {changedCount > 0 && (
          <Button onClick={restoreKeys} className="self-start">
            {t('keys.restoreAll', { count: changedCount })}
          </Button>
        )}
      </div>
    </Section>
  )
}
