/** Shows ready-made automations to start from. */
import { useMutation } from '@tanstack/react-query'
import { ArrowRight, Info } from 'lucide-react'
import type { WorkspaceSession } from '../../api/session.ts'
import { saveAutoReply } from '../../auto-replies/queries.ts'
import { createBot } from '../../bots/queries.ts'
import { Button } from '../../kit/button.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { formatTrigger } from '../format.ts'
import { RECIPE_TARGETS, type RecipeTarget } from '../recipe-targets.ts'
import { RECIPES, type Recipe } from '../recipes.ts'
import { type Key, t } from '../texts.ts'

type Props = {
  workspace: WorkspaceSession['workspace']
  onUse: (id: string) => void
  /** Opens a page of the workspace. */
  onOpen: (path: string) => void
}

/** Creates the item of a recipe; returns the page on which it is edited and turned on. */
async function createFromRecipe(
  recipe: RecipeTarget,
  { sandbox }: WorkspaceSession['workspace'],
): Promise<string> {
  if (recipe.kind === 'bot') return `bots/${(await createBot(recipe.body)).id}`
  if (recipe.kind === 'cod') return sandbox ? 'integrations/simulator' : 'integrations'
  await saveAutoReply(undefined, recipe.body)
  return 'auto-replies'
}

type CardProps = { id: string; when: string; needs?: Recipe['needs']; busy?: boolean; onUse: () => void }

function Card({ id, when, needs, busy, onUse }: CardProps) {
  const title = t(`recipe.${id}` as Key)
  return (
    <li className="flex flex-col gap-2 rounded-lg border p-4">
      <p className="text-xs text-ink-3">{when}</p>
      <h2 className="font-semibold">{title}</h2>
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
          busy={busy}
          aria-label={t('recipe.use.of', { name: title })}
          onClick={onUse}
        >
          {t('recipe.use')}
        </Button>
      </div>
    </li>
  )
}

export function Gallery({ workspace, onUse, onOpen }: Props) {
  const fitting = RECIPES.filter(({ modules = [] }) =>
    modules.every((module) => workspace.modules.includes(module)),
  )
  const make = useMutation({
    mutationFn: (recipe: RecipeTarget) => createFromRecipe(recipe, workspace),
    onSuccess: onOpen,
    onError: notifyError,
  })
  return (
    <ul aria-label={t('recipes')} className="grid gap-4 text-start sm:grid-cols-2 lg:grid-cols-3">
      {fitting.map(({ id, needs, body }) => (
        <Card key={id} id={id} when={formatTrigger(body.trigger)} needs={needs} onUse={() => onUse(id)} />
      ))}
      {RECIPE_TARGETS.map((recipe) => (
        <Card
          key={recipe.id}
          id={recipe.id}
          when={t(`recipe.${recipe.id}.when` as Key)}
          busy={make.isPending && make.variables === recipe}
          onUse={() => make.mutate(recipe)}
        />
      ))}
    </ul>
  )
}
