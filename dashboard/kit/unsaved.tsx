/** Asks before unsaved changes are lost: through a link, the browser's back button, or closing the tab. */
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { Confirm } from './dialog.tsx'
import { t } from './texts.ts'
import { registerChangedForm } from './unsent-forms.ts'

/** Returns `question`, which the caller must draw. */
export function useUnsaved(isChanged: boolean) {
  const isReleased = useRef(false)
  const [onDiscard, setOnDiscard] = useState<() => void>()
  useEffect(() => {
    if (isChanged) return registerChangedForm()
    // A dialog that stays mounted can be filled in again.
    isReleased.current = false
    return undefined
  }, [isChanged])
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isChanged && !isReleased.current && current.pathname !== next.pathname,
    enableBeforeUnload: () => isChanged && !isReleased.current,
    withResolver: true,
  })
  return {
    /** From now on no question is asked: the changes were saved, or the edited item is gone. */
    release: () => {
      isReleased.current = true
    },
    /** Runs `leave`, which closes the form without a change of page; asks first. */
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
