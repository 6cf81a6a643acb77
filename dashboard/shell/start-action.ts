/** Runs the action that an address names: a shortcut of the installed app, or the answer to a notification. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { runWhenOffered } from './commands-store.ts'

/** An address of another site could name an action, so only harmless ones are here. */
const COMMANDS: Record<string, string> = { take: 'inbox-take', reply: 'inbox-reply' }

/** Runs the command of `?do=` when its page offers it, and removes it from the address. */
export function useStartAction(): void {
  const { do: action } = useSearch({ strict: false }) as { do?: string }
  const navigate = useNavigate()
  useEffect(() => {
    if (action === undefined) return
    void navigate({ to: '.', search: ({ do: _, ...rest }: { do?: string }) => rest, replace: true } as never)
    const command = COMMANDS[action]
    if (command !== undefined) runWhenOffered(command)
  }, [action, navigate])
}
