/** ⌘K: what can be done here, where one can go, and what can be found. */
import { useMemo } from 'react'
import { Finder } from '../kit/finder.tsx'
import { type ActiveCommand, useActiveCommands } from './commands-store.ts'
import { t } from './words.ts'

const SCOPES: [ActiveCommand['scope'], Parameters<typeof t>[0]][] = [
  ['page', 'palette.here'],
  ['go', 'palette.pages'],
  ['frame', 'palette.general'],
]

export default function Palette({ open, onClose }: { open: boolean; onClose: () => void }) {
  const commands = useActiveCommands()
  const groups = useMemo(
    () =>
      SCOPES.map(([scope, title]) => ({
        value: t(title),
        items: commands.filter((command) => command.scope === scope && command.id !== 'palette'),
      })).filter(({ items }) => items.length > 0),
    [commands],
  )
  return (
    <Finder
      open={open}
      onClose={onClose}
      title={t('palette.title')}
      placeholder={t('palette.placeholder')}
      empty={t('palette.empty')}
      groups={groups}
    />
  )
}
