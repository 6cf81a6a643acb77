/** Chooses the language of a template from a list with a search. */
import { Check } from 'lucide-react'
import { useMemo, useState } from 'react'
import { ChoiceField } from '../../kit/choice-field.tsx'
import { Finder } from '../../kit/finder.tsx'
import { useStable } from '../../kit/use-stable.ts'
import { t } from '../texts.ts'
import { languageName, listLanguages } from './languages.ts'

type Props = {
  value: string
  /** Languages that the template has already. */
  taken: readonly string[]
  onChange: (code: string) => void
  hint?: string | undefined
  error?: string | undefined
}

export function LanguageField({ value, taken, onChange, ...field }: Props) {
  const [isOpen, setOpen] = useState(false)
  const choose = useStable(onChange)
  const groups = useMemo(() => {
    if (!isOpen) return []
    const items = listLanguages()
      .filter(({ code }) => !taken.includes(code))
      .map(({ code, name }) => ({
        id: code,
        title: name,
        aside: <bdi>{code}</bdi>,
        words: code,
        ...(code === value && { icon: Check }),
        run: () => choose(code),
      }))
    return [{ value: t('languages'), items }]
  }, [isOpen, taken, value, choose])
  return (
    <>
      <ChoiceField label={t('language')} isOpen={isOpen} onOpen={() => setOpen(true)} {...field}>
        <span className="min-w-0 flex-1 truncate">{value ? languageName(value) : t('language.choose')}</span>
        {value && <bdi className="shrink-0 text-sm text-ink-3">{value}</bdi>}
      </ChoiceField>
      <Finder
        open={isOpen}
        onClose={() => setOpen(false)}
        title={t('language')}
        placeholder={t('language.find')}
        empty={t('language.none')}
        groups={groups}
      />
    </>
  )
}
