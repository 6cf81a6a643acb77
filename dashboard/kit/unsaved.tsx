/** What is written and not saved is not lost without a question: by a link, by the browser's back, by closing the tab. */
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { Confirm } from './dialog.tsx'
import { noteChanged } from './typed.ts'
import { t } from './words.ts'

/** `question` has to be drawn by whoever asks for it. */
export function useUnsaved(isChanged: boolean) {
  const isReleased = useRef(false)
  const [onDiscard, setOnDiscard] = useState<() => void>()
  useEffect(() => (isChanged ? noteChanged() : undefined), [isChanged])
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isChanged && !isReleased.current && current.pathname !== next.pathname,
    enableBeforeUnload: () => isChanged && !isReleased.current,
    withResolver: true,
  })
  return {
    /** From here on nothing is asked: it was saved, or what it belongs to is gone. */
    release: () => {
      isReleased.current = true
    },
    /** Does what leaves it without going to another page; asks before. */
    leaveBy: (leave: () => void) => (isChanged ? setOnDiscard(() => leave) : leave()),
    question: (
      <Confirm
        open={blocker.status === 'blocked' || onDiscard !== undefined}
        onClose={() => {
          blocker.reset?.()
          setOnDiscard(undefined)
        }}
        title={t('unsaved.title')}
        description={t('unsaved.text')}
        action={t('unsaved.discard')}
        onConfirm={() => {
          blocker.proceed?.()
          onDiscard?.()
        }}
        danger
      />
    ),
  }
}
