import { Dialog } from '../kit/dialog.tsx'
import { Keys } from '../kit/keys.tsx'
import { type ActiveCommand, useActiveCommands } from './commands-store.ts'
import { t } from './texts.ts'

const SCOPES: [ActiveCommand['scope'], Parameters<typeof t>[0]][] = [
  ['page', 'palette.here'],
  ['go', 'palette.pages'],
  ['frame', 'palette.general'],
]

/** Shows every shortcut that works now. */
export default function KeysSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const commands = useActiveCommands().filter(({ keys }) => keys)
  return (
    <Dialog open={open} onClose={onClose} title={t('keys.title')} description={t('keys.note')} wide>
      <div className="grid gap-6 sm:grid-cols-2">
        {SCOPES.map(([scope, title]) => {
          const scopeCommands = commands.filter((command) => command.scope === scope)
          return (
            scopeCommands.length > 0 && (
              <section key={scope}>
                <h3 className="mb-1 text-sm font-semibold text-ink-2">{t(title)}</h3>
                <dl>
                  {scopeCommands.map((command) => (
                    <div key={command.id} className="flex min-h-8 items-center justify-between gap-4">
                      <dt>{command.title}</dt>
                      <dd>
                        <Keys keys={command.keys!} />
                      </dd>
                    </div>
                  ))}
                </dl>
              </section>
            )
          )
        })}
      </div>
    </Dialog>
  )
}
