/** Shows sentences that the server stored, such as why a run was skipped, in the language of the pages. */
import { useEffect, useState } from 'react'
import { language } from '../texts.ts'

type Translate = (sentence: string) => string
const asWritten: Translate = (sentence) => sentence

/** Loaded once, in languages other than English. */
let translate = asWritten
let loading: Promise<void> | undefined

const load = (): Promise<void> =>
  (loading ??= import('./server-texts/translate.ts').then(
    ({ translateMessage }) => {
      translate = (sentence) => translateMessage(sentence) ?? sentence
    },
    () => {
      loading = undefined
    },
  ))

/** Returns a function that translates stored sentences. A sentence that the catalog doesn't know stays in English. */
export function useServerText(): Translate {
  const [known, setKnown] = useState(() => translate)
  useEffect(() => {
    if (language === 'en' || known !== asWritten) return
    let isShown = true
    void load().then(() => isShown && setKnown(() => translate))
    return () => {
      isShown = false
    }
  }, [known])
  return known
}

export const ServerText = ({ children }: { children: string }) => useServerText()(children)
