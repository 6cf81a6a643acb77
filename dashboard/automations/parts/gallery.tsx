/** Ready-made automations to begin with. */
import { ArrowRight, Info } from 'lucide-react'
import type { Here } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { RECIPES } from '../recipes.ts'
import { saidTrigger } from '../said.ts'
import { type Key, t } from '../words.ts'

type Props = { workspace: Here['workspace']; onUse: (id: string) => void }

export function Gallery({ workspace, onUse }: Props) {
  const fitting = RECIPES.filter(({ modules = [] }) =>
    modules.every((one) => workspace.modules.includes(one)),
  )
  return (
    <ul aria-label={t('recipes')} className="grid gap-4 text-start sm:grid-cols-2 lg:grid-cols-3">
      {fitting.map(({ id, needs, body }) => (
        <li key={id} className="flex flex-col gap-2 rounded-lg border p-4">
          <p className="text-xs text-ink-3">{saidTrigger(body.trigger)}</p>
          <h2 className="font-semibold">{t(`recipe.${id}` as Key)}</h2>
          <p className="flex-1 text-sm text-ink-2">{t(`recipe.${id}.text` as Key)}</p>
          {needs && (
            <p className="flex gap-1.5 text-sm text-ink-3">
              <Info aria-hidden size={15} className="mt-0.5 shrink-0" />
              <span>{t(`recipe.needs.${needs}`)}</span>
            </p>
          )}
          <div className="mt-1">
            <Button
              size="sm"
              icon={ArrowRight}
              aria-label={t('recipe.use.of', { name: t(`recipe.${id}` as Key) })}
              onClick={() => onUse(id)}
            >
              {t('recipe.use')}
            </Button>
          </div>
        </li>
      ))}
    </ul>
  )
}
